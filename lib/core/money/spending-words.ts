/** Budget and costs for a person in English; `features/money` has the same in German. Pure. */

const grouped = (count: number): string => count.toLocaleString('en-US');

export const EN = {
  today: (day: string, spent: string, cap: string, left: string) =>
    `Today (${day}, UTC): ${spent} of ${cap} committed, ${left} left.`,
  tokensToday: (tokens: number, cap: number) => `Tokens today: ${grouped(tokens)} of ${grouped(cap)}.`,
  sessionToday: (spent: string, cap: string) => `This conversation today: ${spent} of ${cap}.`,
  open: (usd: string) => `${usd} of that is the worst case of a call that runs now, or whose answer was lost.`,
  caps: (turn: string, session: string, job: string) =>
    `At most ${turn} for one task, ${session} for a conversation and ${job} for a job in a day.`,
  resets: (time: string) => `It begins anew at ${time}.`,

  /** @param day a day, or all of them */
  day: (day: string, usd: string, tokens: number) => `${day}: ${usd}, ${tokens} tokens`,
  allDays: (count: number) => `All ${count} days`,
  saved: (byTier: string, byCache: string) =>
    `Saved: ${byTier} by asking small models, ${byCache} by the providers' caches.`,
  jobsToday: (count: number, usd: string) => `Jobs today (${count}; /cost job <name> for one): ${usd}`,
  jobToday: (job: string, usd: string) => `The job ${job} today: ${usd}`,
  jobSince: (since: string, usd: string) => `All of it since ${since}: ${usd}`,
  session: (todayUsd: string, since: string, allUsd: string, turns: number, from: string | undefined) =>
    `This conversation today: ${todayUsd}; all of it since ${since}: ${allUsd}. By model, its last ${turns} tasks${from === undefined ? '' : `, since ${from}`}:`,
  model: (name: string, calls: number, tokens: number, cached: string, usd: string) =>
    `${name}: ${calls} ${calls === 1 ? 'call' : 'calls'}, ${tokens} tokens (${cached} of the prompts from its cache), ${usd}`,
  skillTurns: 'Turns that were shown a skill, since it was first shown:',

  noJob: (name: string) => `there is no job ${name}; /jobs lists those there are`,
  noConversation: (name: string) => `there is no conversation ${name}`,
  hasNoName: (period: string) => `a ${period} has no name: a job or a conversation has`,
};
export type SpendingTexts = typeof EN;
