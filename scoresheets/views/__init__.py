"""The pages. Views load what one may see, ask a form and `recording`, and render; each is short."""
