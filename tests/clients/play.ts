// Plays a whole game through the generated client, as an app would: node out/play.js ADDRESS TOKEN CLUB
// Prints the game's id and its seats' totals as it has added them up itself, and ends with 1 if anything is unexpected.

import createClient from "openapi-fetch";

import type { components, paths } from "./api.js";

declare const process: { argv: string[]; exitCode: number };

type Game = components["schemas"]["Game"];
type Problem = components["schemas"]["Problem"];

const SEATS = ["Annika", "Bernd", "Cem", "Dora"];

function check(isTrue: boolean, what: string): void {
  if (!isTrue) throw new Error(what);
}

function same(found: unknown, expected: unknown, what: string): void {
  check(
    JSON.stringify(found) === JSON.stringify(expected),
    `${what}: ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`,
  );
}

/** Returns the data of an answer that is expected to be good. */
function good<T>(answer: { data?: T; error?: unknown; response: Response }): T {
  if (answer.data === undefined) throw new Error(`${answer.response.status}: ${JSON.stringify(answer.error)}`);
  return answer.data;
}

function pointsOf(bid: number, tricks: number): number {
  return bid === tricks ? 20 + 10 * tricks : -10 * Math.abs(bid - tricks);
}

async function play(address: string, token: string, club: number): Promise<void> {
  const options = { baseUrl: address, headers: { Authorization: `Bearer ${token}` } };
  // Lists can be had as CSV too: which of both is meant is said here.
  const api = createClient<paths, "application/json" | "application/problem+json">(options);
  const csv = createClient<paths, "text/csv">(options);

  // Started twice with one key: there is one game.
  const start = () =>
    api.POST("/api/v1/games/", {
      params: { header: { "Idempotency-Key": "the-first-game" } },
      body: { club, seats: SEATS.map((name) => ({ name, add: true })) },
    });
  const started = await start();
  const again = await start();
  let game: Game = good(started).game;
  same(good(again).game.id, game.id, "the repeat's game");
  same(again.response.headers.get("Idempotency-Replayed"), "true", "the repeat");

  const path = { game_id: game.id };
  const totals = new Map<number, number>(game.seats.map((seat) => [seat.id, 0]));
  while (game.stage.name !== "finished") {
    const { round, cards, bidding_order: order, seen } = game.stage;
    if (round === null || cards === null) throw new Error("no round is open");
    const bids = order.map((seat, place) => ({ seat, bid: (round + place) % (cards + 1) }));
    const tricks = order.map((seat, place) => ({ seat, tricks: place === round % order.length ? cards : 0 }));
    game = good(await api.POST("/api/v1/games/{game_id}/bids/", { params: { path }, body: { bids, seen } }));
    same(game.stage.name, "playing", "the stage after the bids");

    // What somebody else has done meanwhile is not overwritten.
    const late = await api.POST("/api/v1/games/{game_id}/bids/", { params: { path }, body: { bids, seen } });
    same([late.response.status, late.error?.code], [409, "stale"], "bids that come late");

    game = good(
      await api.POST("/api/v1/games/{game_id}/tricks/", {
        params: { path, header: { "Idempotency-Key": `tricks-${round}` } },
        body: { tricks, seen: game.stage.seen },
      }),
    );
    bids.forEach(({ seat, bid }, place) => {
      const points = pointsOf(bid, tricks[place]?.tricks ?? 0);
      totals.set(seat, (totals.get(seat) ?? 0) + points);
    });
    same(
      game.seats.map((seat) => seat.total),
      game.seats.map((seat) => totals.get(seat.id)),
      `totals after round ${round}`,
    );
  }
  same(game.rounds?.length, 15, "rounds");

  // What is known already is not sent again.
  const read = await api.GET("/api/v1/games/{game_id}/", { params: { path } });
  const etag = read.response.headers.get("ETag") ?? "";
  same(good(read), game, "the game as it is read");
  const known = await api.GET("/api/v1/games/{game_id}/", { params: { path, header: { "If-None-Match": etag } } });
  same(known.response.status, 304, "the game that is known");
  const stale = await api.POST("/api/v1/games/{game_id}/reopen/", {
    params: { path, header: { "If-Match": '"1-0"' } },
    body: { reason: "A number was wrong" },
  });
  same([stale.response.status, stale.error?.code], [412, "version_stale"], "a change of an old version");

  const list = good(await api.GET("/api/v1/clubs/{club_id}/games/", { params: { path: { club_id: club } } }));
  same(
    list.results.map((listed) => [listed.id, listed.state]),
    [[game.id, "finished"]],
    "the club's games",
  );
  const changes = good(await api.GET("/api/v1/clubs/{club_id}/changes/", { params: { path: { club_id: club } } }));
  same(
    changes.changes.map((change) => change.version),
    Array.from({ length: game.version }, (_, place) => place + 1),
    "the changes of the club",
  );
  const sheet = await csv.GET("/api/v1/games/{game_id}/sheet/", { params: { path }, parseAs: "text" });
  same(good(sheet).trim().split("\n").length, 1 + 15 * SEATS.length, "the lines of the sheet");

  console.log(JSON.stringify({ game: game.id, totals: game.seats.map((seat) => totals.get(seat.id)) }));
}

const [address = "", token = "", club = ""] = process.argv.slice(2);
play(address, token, Number(club)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
