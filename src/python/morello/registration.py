"""The names of the environments in Gymnasium, which calls ``register`` when it is imported."""

from ._morello import games


def environment_id(game: str) -> str:
    """Returns the name of a game's environment: "morello/NineMensMorris-v0" for nine-mens-morris."""
    return f"morello/{''.join(part.capitalize() for part in game.split('-'))}-v0"


def register(prefix: str = "") -> None:
    """Registers the environments of all games; Gymnasium adds the prefix itself when it loads a plugin."""
    from gymnasium.envs.registration import register, registry

    for game in games():
        name = environment_id(game)
        if name not in registry:
            register(
                prefix + name.removeprefix("morello/"),
                entry_point="morello.gymnasium:GameEnv",
                vector_entry_point="morello.gymnasium:VectorGameEnv",
                kwargs={"game": game},
            )
