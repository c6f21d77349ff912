/** One that may change folders runs alone: it could move a secret after another looked for it. */
export type TakeTurn = (isAlone: boolean, work: () => Promise<void>) => Promise<void>;

export const buildTurns = (): TakeTurn => {
  /** Ends of orders that wait or run, each with whether it runs alone. */
  const turns = new Map<Promise<void>, boolean>();
  return async (isAlone, work) => {
    const before = [...turns].flatMap(([end, wasAlone]) => (isAlone || wasAlone ? [end] : []));
    const turn = Promise.all(before).then(work);
    const end = turn.catch(() => {});
    turns.set(end, isAlone);
    try {
      await turn;
    } finally {
      turns.delete(end);
    }
  };
};
