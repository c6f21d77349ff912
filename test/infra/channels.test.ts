/** Channels are named by one list: a new one is a row there, and a folder. */
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ChannelId } from '../../lib/core/signal/channels.ts';
import { FEATURE_CHANNELS } from '../../lib/features/channels.ts';

/** They name functions. */
const SETTINGS = /^lib\/(?:core\/store|features\/[^/]+)\/settings\.ts$/;
/** The console is the core's own: its row, its code, its API. The page shows states of others. */
const MAY_NAME: Readonly<Record<string, readonly string[]>> = {
  console: [
    'lib/core/signal/channels.ts',
    'lib/core/channels/console/',
    'lib/core/edge/console/',
    'lib/features/page/',
  ],
  // Its incoming webhooks and signed events are others than the channel.
  slack: ['lib/features/slack/', 'lib/features/webhooks/', 'lib/core/text/secret-format-table.ts'],
  // A mail is a kind of document too, and a word of people.
  mail: ['lib/features/mail/', 'lib/features/documents/', 'lib/features/claims/', 'lib/core/signal/picture.ts'],
};
const PAGE = 'lib/features/page/app/';

it.each(ChannelId.options)('no code but its own and the lists of features names the channel %s', (id) => {
  const may = MAY_NAME[id] ?? [`lib/features/${id}/`, PAGE];
  const isOfFeature = Object.hasOwn(FEATURE_CHANNELS, id);
  const named =
    // Also the core's word for all that comes in: only as the name of a channel.
    id === 'signal'
      ? /(?:target|channel|source): 'signal'|['"`]signal:[^\s'`]/
      : new RegExp(`['"\`]${id}['"\`:]${isOfFeature ? `|^\\s*${id}:|\\.${id}\\b|[(|/]${id}[)|/]` : ''}`);
  const files = globSync('lib/{core,features/*}/**/*.ts').filter(
    (path) => !SETTINGS.test(path) && !may.some((start) => path.startsWith(start)),
  );
  const found = files.flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .flatMap((line, at) => (named.test(line) && !/^\s*(?:\*|\/)/.test(line) ? [`${path}:${at + 1}`] : [])),
  );
  expect(files.length).toBeGreaterThan(300);
  expect(found).toStrictEqual([]);
});

it.each(ChannelId.options)('the channel %s is held to the contract of channels', (id) => {
  const [test = ''] = globSync(`test/{core/channels,features}/${id}/contract.test.ts`);
  expect(test, `${id} has no contract.test.ts: test/core/channels/toy.test.ts is the smallest example`).not.toBe('');
  expect(readFileSync(test, 'utf8')).toContain(`traits: CHANNELS.${id},`);
});
