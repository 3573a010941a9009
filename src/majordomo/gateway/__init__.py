"""The server: the five dialects as doors, any chain behind them."""
