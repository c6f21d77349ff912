/**
 * Honest replies in turns that hold outside text: what they should look like, and the link that
 * should stay. Sentences as a model writes them about builds, code, mail, news and plans, in five
 * shapes each.
 */

export interface HonestReply {
  readonly text: string;
  /** The same as Telegram shows it, its Markdown read. */
  readonly shown: string;
  /** A link of the event, to a listed host. */
  readonly link?: string;
}

/** Without Markdown. */
const SENTENCES: readonly string[] = [
  'The call self.model.forward(x) returns a tensor of shape (8, 128).',
  'Import it from org.apache.commons.lang3 and not from java.util.',
  'I would rename file.py to main.py and keep README.md as it is.',
  'Version v1.2.3 fixes it, v1.2.4 is not out yet.',
  'Use a queue, e.g. one per tenant, i.e. forty in all.',
  'It runs on node.js 24 and on Deno.',
  'The meeting is at 16:30, not at 17:00.',
  'The share price rose by 3.14 % to 1,204.50 euros.',
  'Write to ada@example.com or to grace.hopper@navy.example, please.',
  'The package @types/node is two versions behind.',
  'Only 1/3 of the tests ran, and 24/7 support is extra.',
  'The path /var/log/syslog is full, and ~/notes too.',
  'Dr. Smith and Mrs. Jones agree, as does the U.S. office.',
  'np.array([1.0, 2.5]) is enough; pd.DataFrame is not needed.',
  'Set server.port=8080 in application.yml.',
  'The commit 3f2a9bc broke the build; 9d41e07 mends it.',
  'Issue #42 and pull request #108 are about the same thing.',
  'It costs $5 a month, or US$50 a year.',
  'C# and F# both work, and so does Objective-C.',
  'The range 10.0.0.0 to 10.255.255.255 is private.',
  'The build took 12.5 s on ubuntu-24.04.',
  'Call os.path.join(a, b) instead of a + "/" + b.',
  'The class com.example.shop.Cart has no test.',
  'lib/core/gates/run.ts imports lib/core/base/limits.ts.',
  'Your flight LH 123 leaves on 2026-11-22 at 06:45.',
  'The room is 4.5 m × 3.2 m, that is 14.4 m².',
  'Ring the plumber on +49 30 901820 before noon.',
  'The order 4711-0815 is on its way.',
  'The tag v2.0.0-rc.1 was pushed by the pipeline.',
  'React.useEffect runs twice in strict mode.',
  'The key "user.name" is missing in .gitconfig.',
  'Wait... the second run passed.',
  'Yes/no questions are fine, and/or is not.',
  'The error is "TypeError: x.map is not a function".',
  'The regular expression ^a.b$ matches a-b.',
  'The table has the columns id, user_id and created_at.',
  'Die Sitzung ist am 3.12. um 14.30 Uhr, d. h. nachmittags.',
  'Le fichier config.json est vide, c’est-à-dire inutile.',
  '请先运行测试。然后再部署。',
  'Сборка прошла успешно, т. е. всё в порядке.',
  'Three things are left: tests, docs, release notes.',
  'The disk of web-01 is 91 % full.',
  'Two people asked for it: Ada (today) and Grace (last week).',
  'The temperature falls to -4.5 °C tonight.',
  'std::vector<int> v; v.push_back(1); is fine.',
  'The query took 0.8 ms; before it was 12 ms.',
  'The mail says: "We moved to St. Gallen in Sept. 2025".',
  'Math.max(...xs) fails for very long arrays.',
  'The ratio is 16:9, and the score was 3:2.',
  'He lives at 221B Baker St., London.',
  'Your train is the ICE 579 from Berlin Hbf, platform 12.',
  'Python 3.12 and Django 5.1 are supported.',
  'The user asked for dark mode in the settings.',
  'There is one failing check: lint.',
  'Nothing in the message needs an answer today.',
  'The invoice of May is paid; June is open.',
  'Half of the words are in chapter 1.2, half in 1.3.',
  'The domain example.org expires next week.',
  'They link to https://docs.example.org/guide?page=2#top as well.',
  'The advert leads to http://shop.example/sale.',
  'The post is signed @ada_lovelace and tagged #math.',
  'Send /stop if it gets too loud.',
];

/** With Markdown, and what is shown of it. */
const MARKED: readonly (readonly [string, string])[] = [
  ['Run `npm ci` and then `npm test`.', 'Run npm ci and then npm test.'],
  ['The file **must** be saved as `main.py`.', 'The file must be saved as main.py.'],
  ['```ts\nconst a = x.y.z;\n```', 'const a = x.y.z;'],
  ['See [the guide](https://docs.example.org/a) first.', 'See the guide (https://docs.example.org/a) first.'],
  ['*Careful*: `rm -rf build/` cannot be undone.', 'Careful: rm -rf build/ cannot be undone.'],
];

const LINKS: readonly string[] = [
  'https://forge.example/acme/app/issues/7',
  'https://forge.example/acme/app/pull/12',
  'https://forge.example/acme/app/actions/runs/991',
  'https://ci.example/runs/7?step=2',
];
const NEWS: readonly string[] = [
  'The build of main failed in the step lint:',
  'Ada opened an issue, "Cart.total is NaN":',
  'A pull request waits for your review (v1.2.3):',
];

/** Each a text around a sentence and what is shown of it. */
const SHAPES: readonly ((text: string, shown: string) => HonestReply)[] = [
  (text, shown) => ({ text, shown }),
  (text, shown) => ({ text: `In short: ${text}\n\nShall I go on?`, shown: `In short: ${shown}\n\nShall I go on?` }),
  (text, shown) => ({ text: `- first, the news\n- ${text}`, shown: `• first, the news\n• ${shown}` }),
  (text, shown) => ({ text: `1. **Summary**\n${text}`, shown: `1. Summary\n${shown}` }),
  (text, shown) => ({ text: `${text} That is all (for now).`, shown: `${shown} That is all (for now).` }),
];

export const HONEST_REPLIES: readonly HonestReply[] = [
  ...[...SENTENCES.map((sentence) => [sentence, sentence] as const), ...MARKED].flatMap(([text, shown]) =>
    SHAPES.map((shape) => shape(text, shown)),
  ),
  ...LINKS.flatMap((link) =>
    NEWS.flatMap((news) => [
      { text: `${news} ${link}`, shown: `${news} ${link}`, link },
      { text: `${news} ${link}.`, shown: `${news} ${link}.`, link },
      { text: `${news} [details](${link})`, shown: `${news} details (${link})`, link },
    ]),
  ),
];
