"""Games: reading them, starting them, and every act on one, each at an address of its own."""
