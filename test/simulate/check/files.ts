/**
 * Files and albums: what a person sent against the turns that took it up, what was read of each
 * file, and what the model was shown of it.
 */
import { hash } from 'node:crypto';
import type { FilesStep, Sent } from '../types.ts';
import type { Effect } from './evidence.ts';
import { fieldsOf, textOf } from './json.ts';
import { acceptedAt, idsOf, markerOf, type Rule, type Run, rootOf } from './run.ts';
import { albumOf } from './turns.ts';

const READ = 'read-attachment';

/** The bytes of a file, as Telegram gave them. */
const bytesOf = ({ observed }: Run, file: string): string =>
  observed.received.find(({ request, isPerformed }) => isPerformed && request.url.endsWith(`/${file}`))?.answer.body ??
  '';

interface Content {
  /** The output of reading it. */
  readonly output: string;
  /** What a prompt has of it. */
  readonly shown: string;
}

/** A picture is named by its hash, and shown as it is. */
const contentOf = (run: Run, file: string): Content => {
  if (!file.startsWith('photo')) return { output: `words of ${file}`, shown: `words of ${file}` };
  const bytes = bytesOf(run, file);
  return { output: `[a picture, image/webp, ${hash('sha256', bytes)}]`, shown: Buffer.from(bytes).toString('base64') };
};

/** What read one file, in any turn. */
const readersOf = ({ evidence }: Run, file: string): readonly Effect[] =>
  [...evidence.effects.values()].filter(
    ({ judged }) => judged?.action?.tool === READ && fieldsOf(judged.action.args).file === file,
  );

/** Each file is read in one turn, says its words or that it is gone, and the model sees them. */
const checkFile = (run: Run, file: string, files: readonly string[], marker: string): readonly string[] => {
  // The prompts of several turns that an album became are not told apart by its marker.
  const turns = new Set(files.flatMap((one) => readersOf(run, one)).map(({ signalId }) => rootOf(signalId)));
  const content = contentOf(run, file);
  const readers = readersOf(run, file);
  const prompts = run.modelCalls.filter(({ receipt }) => receipt.about === marker);
  return [
    ...(readers.length > 1 ? [`${file} is read in ${readers.map(({ id }) => id).join(' and ')}`] : []),
    ...readers.flatMap(({ id, state, output, settledAt }) => {
      const isGone = file.startsWith('gone');
      const later = prompts.filter(({ at }) => at > settledAt + run.observed.skewMs);
      const isHidden = turns.size === 1 && later.some(({ receipt }) => !receipt.request.body.includes(content.shown));
      return [
        ...(state === 'done' && (isGone || output !== content.output) ? [`${id} read “${output}” of ${file}`] : []),
        ...(state === 'done' && isHidden ? [`a prompt about ${marker} does not show what ${id} read of ${file}`] : []),
      ];
    }),
  ];
};

/** Updates that come at once, while nothing goes wrong, become one turn that has all files. */
const GATHERED_MS = 1_000;

const checkAlbum = (run: Run, { files }: FilesStep, sent: readonly Sent[]): readonly string[] => {
  const ids = sent.flatMap(idsOf);
  const heads = ids.filter((id) => run.turns.has(id) && albumOf(run, id) === undefined);
  const parts = ids.flatMap((id) => albumOf(run, id) ?? []);
  const times = sent.flatMap((one) => acceptedAt(one) ?? []);
  // A clock that is ahead of the one before lets nobody wait for the rest.
  const spanMs = Math.max(...times) - Math.min(...times) + 2 * run.observed.skewMs;
  const isAtOnce = times.length === files.length && spanMs < GATHERED_MS;
  return [
    ...parts
      .filter((head) => !heads.includes(head))
      .map((head) => `a message became a part of ${head}, which took up none`),
    ...(isAtOnce && run.observed.troubles.length === 0 && heads.length > 1
      ? [`the album of ${files.join()} became the turns ${heads.join(' and ')}`]
      : []),
  ];
};

/** What was heard of a voice message is what was said in it, and its sender is shown that once. */
const checkHeard = (run: Run, file: string): readonly string[] =>
  readersOf(run, file).flatMap(({ id, signalId, n, state }) => {
    if (state !== 'done' || !file.startsWith('voice') || run.evidence.decisions.has(`${rootOf(signalId)}/broken`))
      return [];
    const said = run.observed.received.filter(
      ({ request, isPerformed }) =>
        isPerformed && request.url.endsWith('/transcriptions') && request.body.includes(file),
    );
    const told = run.evidence.decisions.get(`${signalId}/result-${n}`)?.actions[0]?.action?.text;
    return [
      ...(said.length > 0 ? [] : [`${id} says what is heard in ${file}, and nobody wrote it down`]),
      ...(told === `I heard: “words of ${file}”`
        ? []
        : [`${id} heard ${file}, and its sender was told “${textOf(told)}”`]),
    ];
  });

/** Files that fail alike are told of in one sentence. */
const checkTold = ({ evidence }: Run, id: string): readonly string[] => {
  const texts = [...evidence.decisions.values()]
    .filter((decision) => decision.id.startsWith(`${id}/result-`))
    .map(({ actions }) => textOf(actions[0]?.action?.text));
  return texts.length === new Set(texts).size ? [] : [`${id} says twice why a file was not read`];
};

export const files: Rule = {
  name: 'files',
  promise:
    'An album is one turn; each file is read in one turn, and the model is shown what it says; so is who spoke it.',
  check: (run) => {
    const albums = Map.groupBy(run.files, markerOf);
    return [...albums].flatMap(([marker, sent]) => {
      const step = sent[0]?.step;
      if (step?.kind !== 'files') return [];
      return [
        ...step.files.flatMap((file) => [...checkFile(run, file, step.files, marker), ...checkHeard(run, file)]),
        ...checkAlbum(run, step, sent),
        ...sent.flatMap(idsOf).flatMap((id) => checkTold(run, id)),
      ];
    });
  },
};
