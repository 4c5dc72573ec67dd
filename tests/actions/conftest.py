from hypothesis import settings

settings.register_profile("perdure", deadline=None)
settings.load_profile("perdure")
