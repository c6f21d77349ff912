/** Parsed expressions that are kept by their text; the project's own are some dozens. */
const EXPRESSIONS_MAX = 1_000;

/** Parses a text once, until there are too many of them. */
export const buildCache = <T>(parse: (text: string) => T): ((text: string) => T) => {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const parsed = parse(text);
    if (known.size >= EXPRESSIONS_MAX) known.clear();
    known.set(text, parsed);
    return parsed;
  };
};
