/**
 * Every command of every document of the product, as a reader meets it: run from a clean folder
 * against a stack that runs, with its placeholders filled in, or excused with a reason. A command
 * that a document gains has to get a row here. They run in this order, which makes what the next
 * ones need.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../infra/bundling.ts';
import { type Home, openHome } from './support/home.ts';

const DOCUMENTS = [
  'README.md',
  ...['functions', 'infra', 'lib'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  ),
].filter((file) => file.endsWith('.md'));

/** Lines of blocks for a shell, and what stands between backticks and begins with `npx`. */
const commandsOf = (text: string): readonly string[] => [
  ...[...text.matchAll(/^ *```sh\n(.*?)^ *```/gms)].flatMap(([, block = '']) =>
    block.split('\n').map((line) => line.replace(/\s+#\s.*$/, '').trim()),
  ),
  ...[...text.matchAll(/`(npx [^`]+)`/g)].map(([, line = '']) => line.replace(/\s+/g, ' ')),
];
const DOCUMENTED = new Set(
  DOCUMENTS.flatMap((file) => commandsOf(readFileSync(join(ROOT, file), 'utf8'))).filter((line) => line !== ''),
);

/** Why a command is not run here. */
const EXCUSED: readonly (readonly [RegExp, string])[] = [
  [/npm (ci|start)|git pull/, 'it is the start itself, which stands before all others here'],
  [/--stack|npm run deploy|cdk (bootstrap|destroy)|^aws |AWS_REGION|TELEGRAM_BOT_ID/, 'it needs AWS'],
  [/npm run synth|npm test|report\.ts|kill\.test\.ts|make-fixture\.ts/, 'it takes minutes, and has its own tests'],
  [/\.env( |$)|^[A-Z_]+='/, 'a line of settings with a secret of the reader'],
  [/…|<command>|^npx passepartout (verify|runner|backup|policy set)$/, 'it names a command, and is not a whole one'],
  [/runner pair <address>|runner start|runner check|--runner /, 'the journey of a paired machine runs it'],
  [/mcp (add|remove) files|runner secret|^mkdir -p ~\/notes/, 'the journey of servers of tools runs it'],
  [/inspector|^--method|mcporter/, 'a program of others; test/features/door has the official client'],
  [/connect-slack/, 'the journey of Slack runs it'],
  [/^docker |OTEL_EXPORTER/, 'it needs a collector, and the journey of traces has one'],
  [
    /^openssl |mcp (add|accept|remove|login|logout|events) tracker|remove events-tracker/,
    'it needs a server of the reader',
  ],
  [/runbook add restart\.yaml --mine$/, 'the journey of the recipes pastes it'],
  [/hooks (un)?subscribe ops/, 'it needs a webhook, and test/features/subscriptions/subscriptions.test.ts has one'],
  [/passepartout witness/, 'it runs until it is ended, and has its own tests'],
  [/hooks (add github|test|forms)|^body=|^mac=|webhook\/shop/, 'it needs a service, and the journey of events runs it'],
  [/\/v1\/responses/, 'the journey of programs runs it'],
  [/passepartout( chat)?$/, 'the journey of the terminal types into it'],
  [
    /passepartout setup( --plain| --only (model|keys|search|telegram|slack|signal|mail|sender|webhook))?$/,
    'a journey answers it',
  ],
];

interface Row {
  /** As it is documented. */
  readonly line: string;
  /** As a reader fills it in. */
  readonly filled?: string | ((home: Home, line: string) => Promise<string>);
  readonly says?: RegExp;
  readonly input?: string;
  /** 0 unless given. */
  readonly code?: number;
}

const shortId = async (home: Home): Promise<string> => {
  await home.run('npx passepartout send "call the webhook deploy"');
  return /^(\w{6}) {2}/m.exec((await home.run('npx passepartout approvals')).out)?.[1] ?? 'none';
};
const newest = async (home: Home, what: string): Promise<string> =>
  new RegExp(what, 'm').exec((await home.run('npx passepartout signals')).out)?.[0] ?? 'none';
/** A message that was answered, and is in the log. */
const said = async (home: Home): Promise<string> => {
  await home.run('npx passepartout send "good evening"');
  await home.run('npx passepartout evidence export --out said.jsonl');
  return newest(home, 'con-[0-9a-f]{16,}');
};
const note = async (home: Home): Promise<string> =>
  /[0-9a-f]{32}/.exec((await home.run('npx passepartout memory remember "my lamp is red"')).out)?.[0] ?? 'none';

/** As a script with a token of this stack, at its address. */
const asScript = async (home: Home, line: string): Promise<string> => {
  const { approverToken } = JSON.parse(readFileSync(join(home.folder, '.passepartout', 'tokens.json'), 'utf8'));
  return line.replace('curl', 'curl -sS').replace('http://127.0.0.1:8787', home.url()).replace('$TOKEN', approverToken);
};

const p = 'npx passepartout';
const ROWS: readonly Row[] = [
  { line: `${p} signals`, says: /^no signals$/m },
  { line: `${p} hooks`, says: /No service has sent an event lately/ },
  { line: `${p} hooks subscriptions`, says: /No webhook is told my news/ },
  { line: `${p} hooks deliveries ops`, says: /ops is told no news; npx passepartout hooks subscriptions lists who is/ },
  { line: `${p} completion bash >> ~/.bashrc` },
  { line: `${p} help`, says: /usage: npx passepartout/ },
  { line: `${p} help how do I pair a machine`, says: /^The manual says:\n\nPair a machine, so/ },
  { line: `${p} send "text"`, filled: `${p} send "remember that my bike is blue"`, says: /Noted/ },
  {
    line: `${p} why <id>`,
    filled: async (home) => `${p} why ${await newest(home, 'con-\\w+')}`,
    says: /Keep the note “my bike is blue”: this was done/,
  },
  { line: `${p} output`, says: /^remember \(done\), .*\nRemembered as / },
  { line: `${p} approvals`, says: /nothing waits/ },
  { line: `${p} approve <approval>`, filled: async (home) => `${p} approve ${await shortId(home)}`, says: /Approved/ },
  { line: `${p} deny <approval>`, filled: async (home) => `${p} deny ${await shortId(home)}`, says: /Denied/ },
  {
    line: `${p} grants add --from <approval> [--loosen body.ref,body.path=docs/] [--count 10] [--hours 24] [--covers-taint] [--any-session]`,
    filled: async (home) => `${p} grants add --from ${await shortId(home)} --count 10 --hours 24`,
    says: /Allowed/,
  },
  { line: `${p} approvals --all`, says: /APPROVED/ },
  { line: `${p} grants`, says: /used 0 of 10/ },
  {
    line: `${p} revoke <grant>`,
    filled: async (home) => `${p} revoke ${/^\w{12}/m.exec((await home.run(`${p} grants`)).out)?.[0]}`,
    says: /taken back/,
  },
  { line: `${p} memory`, says: /my bike is blue/ },
  { line: `${p} seen-by <object>`, filled: async (home) => `${p} seen-by ${await note(home)}` },
  { line: `${p} import <folder>`, filled: `${p} import notes` },
  { line: `${p} notes sync <folder>`, filled: `${p} notes sync synced`, says: /^In step: 0 files/ },
  {
    line: `${p} notes keep <folder> <code> file`,
    filled: `${p} notes keep synced abcdef file`,
    says: /no question of this folder has the code abcdef/,
    code: 2,
  },
  { line: `${p} export <folder>`, filled: `${p} export out`, says: /written/ },
  {
    line: `curl http://127.0.0.1:8787/api/messages -H "Authorization: Bearer $TOKEN" -d '{"text":"how is the shop?","idempotencyKey":"report-1"}'`,
    filled: asScript,
    says: /^{"id":"con-\w+"}$/m,
  },
  {
    line: `curl http://127.0.0.1:8787/api/signals/<id> -H "Authorization: Bearer $TOKEN"`,
    filled: async (h, line) => asScript(h, line.replace('<id>', await newest(h, 'con-[0-9a-f]{40}'))),
    says: /"isTurnClosed":(true|false)/,
  },
  { line: `${p} budget` },
  { line: `${p} cost [day|week]`, filled: `${p} cost week` },
  { line: `${p} config list`, says: /BUDGET_DAY_USD: 5 \(default\)/ },
  { line: `${p} config set <name> <value>`, filled: `${p} config set STREAMING off`, says: /STREAMING is off now/ },
  { line: `${p} config set BUDGET_DAY_USD 3`, says: /BUDGET_DAY_USD is 3 now/ },
  { line: `${p} setup --only budget --set BUDGET_DAY_USD=3`, says: /3 US dollars/ },
  { line: `${p} models`, says: /demo/ },
  {
    line: `${p} provider key <name>`,
    filled: `${p} provider key demo`,
    input: 'key-of-another\n',
    says: /demo refuses the key \(401\)/,
    code: 1,
  },
  { line: `${p} stop`, says: /Stopped/ },
  { line: `${p} resume`, says: /Running again/ },
  { line: `${p} resume [--session <conversation>]`, filled: `${p} resume --session console:main`, code: 1 },
  { line: `${p} signals --state dead-lettered`, says: /no signals/ },
  { line: `${p} redrive <signal>`, filled: async (h) => `${p} redrive ${await newest(h, 'con-\\w+')}`, code: 1 },
  {
    line: `${p} effects resolve <signal>#<n> retry`,
    filled: async (h) => `${p} effects resolve ${await newest(h, 'con-\\w+')}#0 retry`,
    code: 1,
  },
  {
    line: `${p} effects resolve <signal>#<n> done`,
    filled: async (h) => `${p} effects resolve ${await newest(h, 'con-\\w+')}#0 done`,
    code: 1,
  },
  { line: `${p} jobs add morning --cron "0 8 * * 1-5" "Check the deploys and tell me what failed"`, says: /is made/ },
  { line: `${p} jobs dry-run morning`, says: /would ask the model/ },
  { line: `${p} jobs history morning`, says: /not been due/ },
  { line: `${p} jobs history morning 5`, says: /not been due/ },
  { line: `${p} jobs list`, says: /morning/ },
  { line: `${p} jobs add pulls --event github/pull_request.opened --runbook tell`, says: /pulls is made/ },
  {
    line: `${p} jobs add <name> --cron "0 8 * * 1-5" "what to ask"`,
    filled: `${p} jobs add evening --cron "0 8 * * 1-5" "what to ask"`,
  },
  { line: `${p} jobs history <name>`, filled: `${p} jobs history evening` },
  { line: `${p} jobs resume <name>`, filled: `${p} jobs resume evening`, code: 1 },
  { line: `${p} jobs run <name>`, filled: `${p} jobs run evening` },
  {
    line: `${p} runbook dry-run deploy-gate --input service=shop --input version=1.2 --input hook=deploy`,
    says: /Deploy version 1.2 of shop\?(?!.*would be refused)/s,
  },
  { line: `${p} runbook check lib/features/runbooks/skill/runbooks/deploy-gate.yaml`, says: /Runbook deploy-gate/ },
  { line: `${p} runbook list`, says: /deploy-gate/ },
  { line: `${p} runbook check <file>`, filled: `${p} runbook check restart.yaml` },
  { line: `${p} runbook check restart.yaml` },
  {
    line: `${p} runbook run <file or name> --input service=shop`,
    filled: `${p} runbook run restart.yaml --input service=shop`,
    input: 'y\n',
  },
  { line: `${p} runbook run restart.yaml --input service=shop --approve-whole`, input: 'y\n' },
  { line: `${p} runbook add <file>`, filled: `${p} runbook add restart.yaml`, input: 'y\n' },
  {
    line: `${p} jobs add restarts --event ci/restart --runbook restart-service --input service=shop --approve-whole "20 30d"`,
    says: /is made[\s\S]*Your yes covers 20 runs/,
  },
  { line: `${p} identity`, says: /My name/ },
  { line: `${p} skill list`, says: /notes/ },
  { line: `${p} skill new <folder>`, filled: `${p} skill new tidy`, says: /npx passepartout skill test tidy/ },
  { line: `${p} skill test <folder>`, filled: `${p} skill test tidy`, says: /nothing is wrong/ },
  { line: `${p} skill add <folder>`, filled: `${p} skill add tidy`, input: 'y\n' },
  {
    line: `${p} skill add lib/features/skills/to-add/standards --mine`,
    input: 'y\n',
    says: /^standards \w+ is in force: trust owner, 4 files, \d+ bytes\.\s*$/m,
  },
  { line: `${p} gates list`, says: /kill-switch/ },
  { line: `${p} gates try shell '{"cmd":"rm -rf build"}'`, says: /ask, class destroys/ },
  { line: `${p} mcp list` },
  { line: `${p} --version`, says: /^\d+\.\d+\.\d+\n$/ },
  { line: `${p} runners pair home`, says: /Paste this line on the machine.*\nnpx passepartout runner pair \S+ \S+\n$/ },
  { line: `${p} runners pair <name>`, filled: `${p} runners pair laptop`, says: /npx passepartout runner pair / },
  { line: `${p} runners list` },
  { line: `${p} runners resume <name>`, filled: `${p} runners resume laptop`, code: 1 },
  { line: `${p} runners remove <name>`, filled: `${p} runners remove laptop`, code: 1 },
  { line: `${p} pair`, says: /\/pair \w{4}-\w{4}/ },
  { line: `${p} chats` },
  { line: `${p} undo`, says: /The last change here|I found no change/ },
  { line: `${p} policy init && ${p} policy try policy.cedar --since 30d`, says: /0 would come out otherwise/ },
  { line: `${p} policy init`, code: 1, says: /is there already/ },
  { line: `${p} policy check policy.cedar` },
  { line: `${p} policy try policy.cedar --since 30d`, says: /0 would come out otherwise/ },
  {
    line: `${p} gates try --policy policy.cedar`,
    input: '{"action":{"target":"tool","tool":"remember","args":{"text":"x"}}}\n',
  },
  { line: `${p} policy set policy.cedar` },
  { line: `${p} policy show` },
  { line: `${p} replay --since 7d`, says: /0 {2}different/ },
  { line: `${p} replay <id>`, filled: async (home) => `${p} replay ${await newest(home, '(con|cli)-\\w+')}` },
  {
    line: `${p} evidence export --out e.jsonl && ${p} verify e.jsonl --anchor .passepartout/anchors/default.txt`,
    says: /^verified$/m,
  },
  { line: `${p} evidence key` },
  {
    line: `${p} receipt <signal>#<n>`,
    filled: async (home) => `${p} receipt '${await said(home)}#0'`,
    says: /passepartout-receipt/,
  },
  {
    line: `${p} receipt <signal>#<n> --out receipt.json`,
    filled: async (home) => `${p} receipt '${await said(home)}#0' --out receipt.json`,
    says: /is in receipt.json/,
  },
  {
    line: `${p} verify receipt.json --key <public key> [--witness <key> --at-least <k>]`,
    filled: async (home) => `${p} verify receipt.json --key ${(await home.run(`${p} evidence key`)).out.trim()}`,
    says: /^verified$/m,
  },
  { line: 'cp .passepartout/anchors/default.txt anchor.txt' },
  { line: `${p} evidence export --out evidence.jsonl` },
  {
    line: `${p} verify evidence.jsonl --key <public key> --anchor anchor.txt`,
    filled: async (home) =>
      `${p} verify evidence.jsonl --key ${(await home.run(`${p} evidence key`)).out.trim()} --anchor anchor.txt`,
    says: /^verified$/m,
  },
  { line: `${p} evidence export --out <file>`, filled: `${p} evidence export --out again.jsonl` },
  { line: `${p} verify <file>`, filled: `${p} verify again.jsonl`, code: 3 },
  { line: `${p} backup <file>`, filled: `BACKUP_PASSPHRASE='a long enough one' ${p} backup b.age` },
  {
    line: `${p} restore <file>`,
    filled: `DATA_DIR=restored BACKUP_PASSPHRASE='a long enough one' ${p} restore b.age`,
  },
  { line: `${p} service`, says: /# .*(?:passepartout\.service|passepartout\.plist)\n/ },
  {
    line: `${p} service --install`,
    filled: `HOME="$PWD" ${p} service --install`,
    says: /passepartout\.\w+ is written/,
  },
  { line: `${p} doctor`, says: /ok {5}stack/ },
  { line: `${p} doctor --bundle help.json`, says: /help\.json is written/ },
];

/** The runbook that the documents show, with a webhook that this stack has. */
const RUNBOOK = (
  /```yaml\n(.*?)```/s.exec(readFileSync(join(ROOT, 'lib/features/runbooks/writing.md'), 'utf8'))?.[1] ?? ''
).replace('webhook: ops', 'webhook: deploy');

let home: Home;
beforeAll(async () => {
  home = await openHome();
  writeFileSync(join(home.folder, 'restart.yaml'), RUNBOOK);
  mkdirSync(join(home.folder, 'notes'));
  mkdirSync(join(home.folder, 'synced'));
  writeFileSync(join(home.folder, 'notes', 'lamp.md'), '# Lamp\n\nThe lamp is red.\n');
  await home.start();
});
afterAll(() => home?.close());

describe('the commands of the documents', () => {
  it('are each run here, or excused', () => {
    const known = new Set(ROWS.map(({ line }) => line));
    const isExcused = (line: string): boolean => EXCUSED.some(([form]) => form.test(line));
    expect([...DOCUMENTED].filter((line) => !known.has(line) && !isExcused(line))).toStrictEqual([]);
    expect([...known].filter((line) => !DOCUMENTED.has(line))).toStrictEqual([]);
  });

  it.each(ROWS)('$line', async ({ line, filled = line, says = /^/, input = '', code = 0 }) => {
    const given = typeof filled === 'string' ? filled : await filled(home, line);
    const ran = await home.run(given, input);
    expect({ given, ...ran }).toStrictEqual({ given, code, out: expect.stringMatching(says) });
  });

  it('begin as they are printed, with npx', async () => {
    await home.open('npx passepartout signals').prints(/(con|cli)-/);
  });
});
