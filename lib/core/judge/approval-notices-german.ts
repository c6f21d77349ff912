/** Notices about approvals in German; `approval-notices.ts` has their names and values. */

import { shortIdOf } from '../approvals/approval.ts';
import { toolOf } from '../approvals/count-answers.ts';
import { utcMinute } from '../base/utc-minute.ts';
import { inGerman } from '../language/stored-german.ts';
import { APPROVER_SETTINGS } from '../signal/channels.ts';
import { defang } from '../text/tappable.ts';
import { sentenceInGerman } from '../tools/sentences-german.ts';
import type { SPARED as SPARED_IN_ENGLISH, TEXTS } from './approval-notices.ts';
import { DE as CARD } from './card-german.ts';
import { joined } from './notices.ts';

const STALE = {
  unknown: 'Diese Frage kenne ich nicht (mehr)',
  pending: 'das wartet noch auf eine Entscheidung',
  decided: 'das ist schon entschieden',
  approved: 'das ist schon freigegeben',
  spent: 'das ist schon freigegeben und begonnen',
  denied: 'das ist schon abgelehnt',
  expired: 'die Zeit zum Entscheiden ist vorbei, und es wurde nicht getan. Eine neue Bitte darum fragt wieder',
} as const;

const ENDED_BECAUSE = {
  policy:
    'die Regeln haben sich seit der Frage geändert, oder ihr Chat wurde entfernt, also lässt sie sich nicht mehr freigeben. Eine neue Bitte darum fragt wieder',
  refused: 'das wurde freigegeben und vor der Ausführung abgelehnt',
} as const;

export const SPARED: typeof SPARED_IN_ENGLISH = {
  reads: (tool) => `${tool} kann ohne Frage durchgehen, wenn es nur liest: /mcp add für seinen Server bietet das an.`,
  similar: (tool) => `${tool} kann ohne Frage durchgehen: „Ähnliches erlauben …“ auf der nächsten Karte dazu.`,
  nothing: (tool) => `${tool} fragt jedes Mal: Vor dem Ja die Karte lesen.`,
};

const sentence = (action: Parameters<typeof sentenceInGerman>[0]): string => defang(sentenceInGerman(action));

export const DE: typeof TEXTS = {
  askedInPrivate: () =>
    'Was ich hier tun will, enthält etwas aus dem Gedächtnis, also habe ich zuerst privat um ein Ja gebeten.',
  approved: (action) => `Freigegeben: ${sentence(action)}`,
  denied: (action) => `Abgelehnt: ${sentence(action)}`,
  granted: (grant) =>
    `Freigegeben, und noch ${grant.usesMax}-mal erlaubt bis ${utcMinute(grant.expiresAtMs)}: ${sentence(grant)}. /revoke ${grant.id} nimmt es zurück.`,
  grantedForTask: (grant, others) =>
    `Freigegeben${others === 0 ? '' : ` mit ${others} weiteren dieser Antwort`}, und für diese Aufgabe noch ${grant.usesMax}-mal erlaubt bis ${utcMinute(grant.expiresAtMs)}, auch mit ${CARD.mayDiffer(grant.loosened)}: ${sentence(grant)}. /revoke ${grant.id} nimmt es zurück.`,
  decidedAll: (isYes, actions, others) =>
    joined([
      `${actions.length} ${isYes ? 'freigegeben' : 'abgelehnt'}${others === 0 ? '' : `; ${others} weitere waren schon entschieden oder beendet`}:`,
      ...actions.map((action) => `– ${sentence(action)}`),
    ]),
  approvedOnly: (problem) => `Dieses eine Mal freigegeben; mehr ist nicht erlaubt: ${inGerman(problem)}.`,
  grantAdded: (line) => `Erlaubt: ${line}`,
  revoked: (id) => `Die Erlaubnis ${id} ist zurückgenommen.`,
  similarStale: () =>
    'Das sind nicht die Grenzen, die jetzt gezeigt werden; nichts wurde geändert. „Ähnliches erlauben …“ zeigt sie neu.',
  waitingHere: (name, waiting) =>
    waiting.length === 0
      ? 'Hier wartet nichts auf ein Ja. /approvals nennt, was anderswo wartet.'
      : joined([
          'Richtig ist eins davon:',
          ...waiting.map(({ id, action }) => `/${name} ${shortIdOf(id)} – ${sentence(action)}`),
        ]),
  bareAnswer: (waiting) =>
    joined([
      'Ein Wort allein entscheidet nichts, weil es etwas anderem gelten kann. Es gelten die Knöpfe der Karte, oder:',
      ...waiting.map(({ id, action }) => {
        const short = shortIdOf(id);
        return `/approve ${short} oder /deny ${short} – ${sentence(action)}`;
      }),
    ]),
  noSuchApproval: (name) =>
    `Keine einzelne Freigabe hat diese Kennung, also wurde nichts geändert. Richtig ist /${name} und nur die Kennung, die ihre Karte zeigt; /approvals nennt alle.`,
  mayNotApprove: (because, id) =>
    because === 'person'
      ? `Das kann nur eine freigebende Person entscheiden. In einer Gruppe sind das die Menschen in der Einstellung ${APPROVER_SETTINGS} oder, ohne sie, wessen privater Chat mit mir gekoppelt ist.`
      : `Das lässt sich nur dort entscheiden, wohin seine Karte ging, oder in einem Terminal: npx passepartout approvals ${shortIdOf(id)}`,
  approvalStale: (state, endedBecause) =>
    `Nichts wurde geändert: ${endedBecause === undefined ? STALE[state] : ENDED_BECAUSE[endedBecause]}.`,
  approvalOutdated: () =>
    'Die Regeln haben sich seit der Frage geändert, also ist die Freigabe verfallen; nichts wurde getan. Eine neue Bitte darum fragt wieder.',
  approvalStopped: () =>
    'Der Agent ist angehalten; nichts wird ausgeführt. Erst /resume, dann freigeben. Ablehnen geht.',
  approvalSessionStopped: (session) =>
    `Das Gespräch ${session} ist angehalten; dort wird nichts ausgeführt. Erst /resume ${session}, dann freigeben. Ablehnen geht.`,
  quickAnswers: ({ asked, quick, rows: [most] }) =>
    [
      `Auf ${quick} von ${asked} Fragen der letzten 7 Tage kam das Ja innerhalb von drei Sekunden.`,
      ...(most === undefined ? [] : [`${most.quick} davon zu ${toolOf(most)}.`, SPARED[most.grantable](toolOf(most))]),
      'Alle: /questions',
    ].join(' '),
};
