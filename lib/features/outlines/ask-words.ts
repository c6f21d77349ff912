/** The words with which the model is asked to change a subtree. Its tools say the rest. Pure. */

const WITH = {
  organise:
    'with an outline: each of their ids exactly once, in a better order, under new headings where several belong together',
  summarise: 'with a summary of what they say, short and in their language',
  link: 'with links between those that belong together and are not linked yet, at most ten',
} as const;

export type Wish = keyof typeof WITH;

/** @param note its id */
export const askWords = (note: string, wish: Wish): string =>
  `Read the note ${note} and those below it with read-notes. Then call arrange-notes once, for the note ${note}, ${WITH[wish]}. Do nothing else.`;
