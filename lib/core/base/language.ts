/**
 * The languages that the product itself speaks, and a table of texts for each room. English is the
 * typed source: a German table of another form is no valid program. Any other language is loaded
 * when somebody reads it first, so that no function starts with sentences that nobody asked for.
 */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The product's own language, and that of every chat that chose none. */
export const USUAL_LANGUAGE = 'en';
type Other = Exclude<Language, typeof USUAL_LANGUAGE>;

/** @param tag such as `de-AT`; undefined for a language that the product does not speak */
export const spokenLanguage = (tag: string): Language | undefined =>
  LANGUAGES.find((language) => new RegExp(`^${language}(?:-[a-z\\d]+)*$`, 'i').test(tag));

/** The first that the header `accept-language` asks for and the product speaks. */
export const acceptedLanguage = (header = ''): Language | undefined =>
  header.split(',').flatMap((tag) => spokenLanguage(tag.split(';')[0]?.trim() ?? '') ?? [])[0];

/** That, or the usual one. */
export const languageFor = (header?: string): Language => acceptedLanguage(header) ?? USUAL_LANGUAGE;

/** The same, if it is not the usual one. */
export const otherLanguage = (tag = ''): Language | undefined => {
  const language = spokenLanguage(tag);
  return language === USUAL_LANGUAGE ? undefined : language;
};

export interface TextTable<T> {
  readonly en: T;
  readonly in: (language: Language) => Promise<T>;
}

/** @param load the same sentences in each other language, with the same names and values */
export const textTable = <T>(en: T, load: Readonly<Record<Other, () => Promise<T>>>): TextTable<T> => ({
  en,
  in: async (language) => (language === USUAL_LANGUAGE ? en : load[language]()),
});
