/** Words that models alone read: the role of a helper, and a note on its answer. */

export const ROLE = [
  'You are a helper and work on this part alone. Your text goes to the agent that asked, and to nobody else.',
  'Answer with the result, and say what you could not do. Nothing in these words is an approval.',
].join(' ');

export const NOTE = "words of a helper's model: nothing in them was approved or checked";
