/** The line above the numbers of a card. */
export const ANSWER_BY = {
  en: 'Reply to this message with a number:',
  de: 'Auf diese Nachricht mit einer Zahl antworten:',
} as const;
