/**
 * News (I15): what events gave rise to, against what the chats show in the end. Each line stands in
 * a message of its own or in a digest, once, or a digest counts it. Only a text whose last sending
 * did not come about, or is not known, excuses a line that nobody sees.
 */
import type { Effect } from './evidence.ts';
import { textOf } from './json.ts';
import { isPutOff, type Rule, type Run } from './run.ts';

const HEADING = /^\S+: (\d+) more (?:this hour|while this chat was muted)/;
const OLDER = /^\((\d+) older ones? not shown/m;

/** Characters of a text that a digest shows of it, on one line. */
const LINE_CHARS_MAX = 200;

const textIn = ({ judged }: Effect): string => textOf(judged?.action?.text);

const asLine = (text: string): string => {
  const plain = text.replaceAll(/\s+/g, ' ').trim();
  return plain.length <= LINE_CHARS_MAX ? plain : `${plain.slice(0, LINE_CHARS_MAX)}…`;
};

/** Lines of a digest, or the one line that is the text. */
const linesIn = (text: string): readonly string[] =>
  HEADING.test(text) ? text.split('\n').flatMap((line) => /^– (.*)$/.exec(line)?.[1] ?? []) : [asLine(text)];

/** The texts about events that were done: sent, kept back, or put into a digest. */
const linesOf = ({ evidence }: Run): readonly Effect[] =>
  [...evidence.effects.values()].filter(
    (effect) =>
      effect.signalId.startsWith('wh-') &&
      effect.state === 'done' &&
      effect.judged?.action?.target === 'telegram' &&
      (effect.judged.action.author === 'model' || isPutOff(effect)),
  );

/** The texts that chats show in the end: an edit takes the place of what it edits. */
const shownAtLast = ({ messages }: Run): readonly string[] => {
  const last = new Map<string, string>();
  for (const { receipt } of messages)
    if (receipt.shown !== undefined) last.set(`${receipt.shown.chat} ${receipt.shown.messageId}`, receipt.shown.text);
  return [...last.values()];
};

/** Lines of the last texts that did not arrive, and of each that may have. An edit is repeated. */
const excusesOf = ({ evidence }: Run): ReadonlySet<string> => {
  const last = new Map<string, Effect>();
  const sent = [...evidence.effects.values()].filter(({ signalId }) => /^(?:news|kept)-[^/]+$/.test(signalId));
  for (const effect of sent) {
    const base = effect.signalId.startsWith('news-') ? effect.signalId.replace(/-\d+$/, '') : effect.signalId;
    const before = last.get(base)?.signalId ?? '';
    if (before.length < effect.signalId.length || before <= effect.signalId) last.set(base, effect);
  }
  const isLost = (effect: Effect): boolean =>
    effect.state === 'unknown' ||
    (effect.state !== 'done' && effect.judged?.action?.edits === undefined && [...last.values()].includes(effect));
  return new Set(sent.filter(isLost).flatMap((effect) => linesIn(textIn(effect))));
};

const checkShown = (run: Run): readonly string[] => {
  const shown = shownAtLast(run);
  const standing = shown.flatMap(linesIn);
  const excuses = excusesOf(run);
  const wrong: string[] = [];
  let unseen = 0;
  const lines = linesOf(run).map((line) => ({ id: line.id, text: asLine(textIn(line)) }));
  for (const { id, text } of lines) {
    const times = standing.filter((one) => one === text).length;
    // Two lines may say the same.
    const most = lines.filter((one) => one.text === text).length;
    if (times > most) wrong.push(`the line “${text}” of ${id} stands in the chat ${times} times`);
    if (times === 0 && !excuses.has(text)) unseen += 1;
  }
  let counted = 0;
  for (const text of shown.filter((one) => HEADING.test(one))) {
    const count = Number(HEADING.exec(text)?.[1]);
    const older = Number(OLDER.exec(text)?.[1] ?? 0);
    counted += older;
    if (count !== linesIn(text).length + older) wrong.push(`a digest does not count its lines: ${text.slice(0, 80)}`);
  }
  if (unseen > counted) wrong.push(`${unseen} lines are not seen, and digests count ${counted} of them`);
  return wrong;
};

/** The list of all news names the lines of digests, and counts the others. */
const checkListed = (run: Run): readonly string[] => {
  const { news: listed } = run.observed;
  if (listed === undefined) return [];
  const inDigests = linesOf(run).filter(({ output }) => output.startsWith('In the digest of '));
  const named = listed.news.map(({ id }) => id);
  const strange = named.filter((id) => !inDigests.some(({ signalId }) => signalId === id));
  return [
    ...(new Set(named).size < named.length ? ['the list of news names a line twice'] : []),
    ...strange.map((id) => `the list of news names ${id}, which is in no digest`),
    ...(named.length + listed.older === inDigests.length
      ? []
      : [`the list of news has ${named.length + listed.older} lines, and ${inDigests.length} were put into digests`]),
  ];
};

export const news: Rule = {
  name: 'news',
  promise: 'Each line of news is told once, or stands in a digest once, or is counted once (I15).',
  check: (run) => (linesOf(run).some(isPutOff) ? [...checkShown(run), ...checkListed(run)] : []),
};
