/** The answers about money in German; `money/spending-words.ts` has their names and values. */
import type { SpendingTexts } from '../../core/money/spending-words.ts';

const grouped = (count: number): string => count.toLocaleString('de-DE');

export const DE: SpendingTexts = {
  today: (day, spent, cap, left) => `Heute (${day}, UTC): ${spent} von ${cap} verplant, ${left} bleiben.`,
  tokensToday: (tokens, cap) => `Token heute: ${grouped(tokens)} von ${grouped(cap)}.`,
  sessionToday: (spent, cap) => `Dieses Gespräch heute: ${spent} von ${cap}.`,
  open: (usd) =>
    `${usd} davon ist der schlimmste Fall eines Aufrufs, der gerade läuft oder dessen Antwort verloren ging.`,
  caps: (turn, session, job) =>
    `Höchstens ${turn} für eine Aufgabe, ${session} für ein Gespräch und ${job} für einen Auftrag am Tag.`,
  resets: (time) => `Neu beginnt es am ${time}.`,

  day: (day, usd, tokens) => `${day}: ${usd}, ${tokens} Token`,
  allDays: (count) => `Alle ${count} Tage`,
  saved: (byTier, byCache) =>
    `Gespart: ${byTier}, weil kleine Modelle gefragt wurden, ${byCache} durch die Zwischenspeicher der Anbieter.`,
  jobsToday: (count, usd) => `Aufträge heute (${count}; einzeln: /cost job <name>): ${usd}`,
  jobToday: (job, usd) => `Der Auftrag ${job} heute: ${usd}`,
  jobSince: (since, usd) => `Insgesamt seit ${since}: ${usd}`,
  session: (todayUsd, since, allUsd, turns, from) =>
    `Dieses Gespräch heute: ${todayUsd}; insgesamt seit ${since}: ${allUsd}. Nach Modell, ${turns === 1 ? 'die letzte Aufgabe' : `die letzten ${turns} Aufgaben`}${from === undefined ? '' : `, seit ${from}`}:`,
  model: (name, calls, tokens, cached, usd) =>
    `${name}: ${calls} ${calls === 1 ? 'Aufruf' : 'Aufrufe'}, ${tokens} Token (${cached} der Anfragen aus seinem Zwischenspeicher), ${usd}`,
  skillTurns: 'Aufgaben, denen eine Fähigkeit gezeigt wurde, seit sie zuerst gezeigt wurde:',

  noJob: (name) => `einen Auftrag ${name} gibt es nicht; /jobs nennt alle`,
  noConversation: (name) => `ein Gespräch ${name} gibt es nicht`,
  hasNoName: (period) => `${period} hat keinen Namen: Den hat ein Auftrag (job) oder ein Gespräch (session)`,
};
