"""Which target next: decisions only. Outcomes and time are told, never looked up."""
