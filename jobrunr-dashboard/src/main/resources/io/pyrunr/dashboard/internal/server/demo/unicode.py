greetings = {
    "Ελληνικά": "Γειά σου Κόσμε",
    "Русский": "Привет, мир",
    "हिन्दी": "नमस्ते दुनिया",
    "日本語": "こんにちは世界",
    "한국어": "안녕, 세상",
    "العربية": "مرحبا بالعالم",
    "עברית": "שלום עולם",
    "Emoji": "👋🌍",
}
for language, greeting in greetings.items():
    print(f"{language}: {greeting}")

greetings
