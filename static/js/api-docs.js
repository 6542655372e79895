"use strict";
/* The page on which the API is read and tried: draws the schema, and sends the CSRF token with what writes. */
(() => {
  const at = document.querySelector("#api"), { schema, csrf } = at.dataset;
  window.SwaggerUIBundle({
    url: schema,
    domNode: at,
    presets: [window.SwaggerUIBundle.presets.apis],
    layout: "BaseLayout",
    deepLinking: true,
    docExpansion: "none",
    filter: true,
    validatorUrl: null,
    requestInterceptor: (request) => {
      const isOurs = new URL(request.url, location.href).origin === location.origin;
      if (csrf && isOurs && (request.method || "GET") !== "GET") request.headers["X-CSRFToken"] = csrf;
      return request;
    },
  });
})();
