/** Commands for a terminal that a text shows, each up to the end of its line. */
export const commandsIn = (text: string): readonly string[] =>
  [...text.matchAll(/npx passepartout [^\n`]*[^\s`.]/g)].map(([line]) => line);
