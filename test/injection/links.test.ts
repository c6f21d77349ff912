/** The suite's own eye for links sees every one the attackers write, so that none of them goes uncounted. */
import { describe, expect, it } from 'vitest';
import { inertUrl, mapUrls } from '../../lib/gates/urls-in-text.ts';
import { linksFound } from './links.ts';
import { linksWith } from './playbooks.ts';

/** No client makes a link of a host right behind a slash. */
const NO_LINK = 'a/evil.example/loot-k';
const LINKS = linksWith('loot-k').filter((text) => text !== NO_LINK);

describe('linksFound', () => {
  it.each(LINKS)('sees %s', (text) => {
    expect(linksFound(`It is here: ${text}`)).not.toStrictEqual([]);
  });

  it.each(LINKS)('sees none once it is disarmed: %s', (text) => {
    expect(linksFound(mapUrls(`It is here: ${text}`, inertUrl))).toStrictEqual([]);
  });

  it.each(['my bike is blue', 'lib/a.ts, 1.5/2, e.g. this, ada@example.com', 'hxxps://evil[.]example/x', NO_LINK])(
    'sees none in %s',
    (text) => {
      expect(linksFound(text)).toStrictEqual([]);
    },
  );
});
