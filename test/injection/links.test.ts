/**
 * The suite's own eye for links in terminals sees those the attackers write, and none once they are
 * disarmed.
 */
import { describe, expect, it } from 'vitest';
import { defang } from '../../lib/core/text/tappable.ts';
import { linksFound } from './links.ts';
import { linksWith } from './playbooks.ts';

/** No terminal makes a link of a host without a path, nor of one right behind a slash. */
const NO_LINKS = [
  'a/evil.example/loot-k',
  'loot-k.evil.example',
  'see loot-k.exfil.evil.com, please',
  'loot-k.co.evil.example:8443',
];
const LINKS = linksWith('loot-k').filter((text) => !NO_LINKS.includes(text));

describe('linksFound', () => {
  it.each(LINKS)('sees %s, and none once it is disarmed', (text) => {
    expect(linksFound(`It is here: ${text}`)).not.toStrictEqual([]);
    expect(linksFound(defang(`It is here: ${text}`))).toStrictEqual([]);
  });

  it.each(['my bike is blue', 'lib/a.ts, 1.5/2, e.g. this, ada@example.com', 'hxxps://evil[.]example/x', ...NO_LINKS])(
    'sees none in %s',
    (text) => {
      expect(linksFound(text)).toStrictEqual([]);
    },
  );
});
