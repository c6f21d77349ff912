/** The step that connects a service which sends events, and says where its secret goes. */
import { randomBytes } from 'node:crypto';
import { isObject, readJson } from '../../../lib/core/base/json.ts';
import { parseSources, SCHEMES } from '../../../lib/features/webhooks/edge/sources.ts';
import type { Questions } from '../../cli/setup/questions.ts';
import { fine, refused, type Step } from '../../cli/setup/step.ts';
import { printable } from '../../cli/terminal.ts';

const OTHERS = 'For any other: hmac, bearer, basic, header-token or path-token';

/** These make the secret themselves, and take no other. */
const MAKERS = 'stripe slack linear shopify sentry pagerduty twilio discord sns zoom meta'.split(' ');

/** That there is no such service, and which there are. */
export const strangeService = (name: string): string | undefined =>
  Object.hasOwn(SCHEMES, name) ? undefined : `There are ${Object.keys(SCHEMES).join(', ')}. ${OTHERS}.`;

const makeSecret = (scheme: string): string => {
  const bytes = randomBytes(24);
  if (scheme === 'standard') return `whsec_${bytes.toString('base64')}`;
  return scheme === 'basic' ? `passepartout:${bytes.toString('base64url')}` : bytes.toString('base64url');
};

/** @returns empty if one is to be made */
const askSecret = async (questions: Questions, scheme: string): Promise<string> => {
  const message = 'The secret it shows (not shown here)';
  if (!MAKERS.includes(scheme)) return questions.askSecret(`${message}; empty to make one`);
  for (;;) {
    const secret = await questions.askSecret(message);
    if (secret !== '') return secret;
    questions.tell(`${scheme} makes its secret itself: paste that one, or leave with Ctrl-C.`);
  }
};

const findProblem = (name: string, entry: object): string | undefined =>
  parseSources(JSON.stringify({ [name]: entry })).problems[0];

/** @param service whose name a command gave */
export const senderOf = (service?: string): Step => ({
  name: 'sender',
  title: 'A service that sends events here, such as github',
  ask: async (questions, { WEBHOOK_SECRETS: text, TELEGRAM_WEBHOOK_URL: publicUrl }) => {
    const ask = () =>
      questions.ask('Which service, empty for none', (answer) => (answer === '' ? undefined : strangeService(answer)));
    const scheme = service ?? (await ask());
    if (scheme === '') return undefined;
    const { where, options = {} } = SCHEMES[scheme] ?? {};
    const name = await questions.ask(
      'A name for it, which becomes the end of its address',
      (answer) => findProblem(answer, { scheme: 'bearer', secret: makeSecret('bearer') }),
      scheme,
    );
    const more: Record<string, string> = {};
    for (const [option, need] of Object.entries(options))
      if (need === 'needed')
        more[option] = await questions.ask(`Its ${option}`, (answer) => (answer === '' ? 'It is needed.' : undefined));
    questions.tell(`Where the service has its secret: ${where}.`);
    const given = await askSecret(questions, scheme);
    const secret = given === '' ? makeSecret(scheme) : given;
    const entry = { scheme, secret, ...more };
    const problem = findProblem(name, entry);
    if (problem !== undefined) {
      questions.tell(`That cannot be used: ${problem}.`);
      return undefined;
    }
    if (given === '') questions.tell(`Give it this secret:\n${secret}`);
    const base = publicUrl ?? 'https://<the public address of this stack>';
    const end = scheme === 'path-token' ? '/<the secret>' : '';
    questions.tell(`Give it this address: ${base.replace(/\/+$/, '')}/webhook/${name}${end}`);
    if (publicUrl === undefined)
      questions.tell('That is a tunnel to this machine, or what "npm run deploy" prints (infra/webhooks.md).');
    const known = readJson(text ?? '{}');
    return { WEBHOOK_SECRETS: JSON.stringify({ ...(isObject(known) ? known : {}), [name]: entry }) };
  },
  check: ({ WEBHOOK_SECRETS: text }) => {
    const { sources, problems } = parseSources(text);
    if (problems.length > 0) return refused(...problems.map((problem) => `WEBHOOK_SECRETS: ${problem}.`));
    const names = [...sources].map(([name, { scheme }]) => `${printable(name)} (${scheme})`);
    return fine(names.length === 0 ? 'None is set.' : `Set: ${names.join(', ')}.`);
  },
});

export const senderStep = senderOf();
