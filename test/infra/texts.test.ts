/**
 * Two kinds of files. Some say everything to people by a table of texts: a sentence that stands in
 * one of them is one that nobody translates, and the compiler finds one that German lacks. Others
 * make sentences that are stored, or that programs read: German knows each of these.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from '@babel/parser';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { ROOT } from '../../infra/bundling.ts';
import type { CommandContext } from '../../infra/cli/command.ts';
import { loadCommands } from '../../infra/cli/command-table.ts';
import {
  COMMAND_LINE_IN_GERMAN,
  COMMAND_LINE_PARTS,
  inGerman as commandLineInGerman,
} from '../../infra/cli/sentences-german.ts';
import { buildTerminal } from '../../infra/cli/terminal.ts';
import { PRESET_NEEDS } from '../../infra/features/webhooks/target-step.ts';
import { importCedar } from '../../lib/core/judge/code/cedar-engine.ts';
import { EVIDENCE_FAULTS, EVIDENCE_PARTS } from '../../lib/core/language/evidence-german.ts';
import { buildSpeaker } from '../../lib/core/language/sentence-speaker.ts';
import { inGerman } from '../../lib/core/language/stored-german.ts';
import { operationsIn } from '../../lib/core/operations/feature.ts';
import { SETTINGS } from '../../lib/core/store/settings.ts';
import { FEATURES } from '../../lib/features/features.ts';
import { parsePolicy } from '../../lib/features/policy/cedar.ts';
import { SCHEMES } from '../../lib/features/webhooks/edge/sources.ts';

/** A file that is converted is added here. */
const CONVERTED = [
  'lib/core/judge/notify.ts',
  'lib/core/stages/act/afters/channel-back.ts',
  'lib/core/stages/act/afters/doubt.ts',
  'lib/core/stages/act/afters/file-read.ts',
  'lib/features/runner/late-afters.ts',
  'lib/core/stages/act/afters/refused.ts',
  'lib/core/stages/act/afters/result.ts',
  'lib/features/voice/voice-notice.ts',
  'lib/core/stages/act/tell-people.ts',
  'lib/core/stages/act/tell-stopped.ts',
  'lib/core/stages/look-at-work.ts',
  'lib/core/stages/perceive/answer-approval.ts',
  'lib/core/stages/perceive/answer-operation.ts',
  'lib/core/stages/perceive/bare-answer.ts',
  'lib/core/stages/perceive/commands.ts',
  'lib/core/stages/perceive/help-lines.ts',
  'lib/core/stages/perceive/stop-and-resume.ts',
  'lib/core/stages/reason/publish-wait.ts',
  'lib/core/stages/upkeep/tell-of-run.ts',
  'lib/features/jobs/describe-job.ts',
  'lib/features/jobs/describe-rule.ts',
  'lib/features/runbooks/describe-run.ts',
  'lib/features/runbooks/describe-runbook.ts',
  'lib/features/jobs/describe-jobs.ts',
  'lib/features/jobs/dry-run.ts',
  'lib/features/jobs/handlers.ts',
  'lib/features/news/handlers.ts',
  'lib/features/news/send-digests.ts',
  'lib/features/runbooks/judged-lines.ts',
  'lib/features/money/handlers.ts',
  'lib/features/money/report-cost.ts',
  'lib/features/notes/find-object.ts',
  'lib/features/notes/find-project.ts',
  'lib/features/notes/handlers.ts',
  'lib/features/notes/look-into-memory.ts',
  'lib/core/verbs/settings/handlers.ts',
  'lib/core/verbs/signals/handlers.ts',
  'lib/features/skills/handlers.ts',
];

/** Three words in a row within quotes, in no comment and no name of a condition of the table. */
const SENTENCE = /^(?!\s*(?:\*|\/[/*])|.*\bname: ['`]).*(['`])(?:(?!\1).)*\p{L}+ \p{L}+ \p{L}+(?:(?!\1).)*\1/u;

it.each(CONVERTED)('has %s say nothing to people outside the tables of texts', (file) => {
  const lines = readFileSync(join(ROOT, file), 'utf8').split('\n');
  expect(lines.filter((line) => SENTENCE.test(line))).toStrictEqual([]);
});

it('would find one', () => {
  expect(
    ["  text: 'Still at work on this.',", '  `It waits for two there`,'].every((line) => SENTENCE.test(line)),
  ).toBe(true);
});

const partInGerman = buildSpeaker(COMMAND_LINE_PARTS);
/** The speaker of the page's verifier. */
const pageInGerman = buildSpeaker(EVIDENCE_FAULTS, EVIDENCE_PARTS);

/** Patterns of files, and literals in them that no person reads as they are. */
const STORED: readonly (readonly [files: string, say: (text: string) => string, but?: RegExp])[] = [
  ['lib/core/gates/rules/!(explanation|host-names|standing-invariants).ts', inGerman],
  ['lib/features/runner/shell/class*.ts', inGerman, /^(?!it |the )[\w.+:![\s-]+$/],
  ['lib/core/approvals/{earlier-yes,similar,task-grant}.ts', inGerman, /^for this task|noch Value1-mal|^für diese/],
  ['lib/core/language/fault-texts.ts', (text) => inGerman(`Value1 ${text}`).slice('Value1 '.length)],
  ['lib/features/runner/describe-runner.ts', inGerman],
  ['lib/{tools/{manage-chats,note-forms},features/jobs/{tools,job-form}}.ts', inGerman],
  ['lib/features/runbooks/job-work.ts', inGerman],
  ['lib/features/runner/tools/{manage-runners,runner-form}.ts', inGerman],
  ['infra/cli/{main,stack,client,describe-action}.ts', commandLineInGerman],
  ['infra/cli/chat/*.ts', commandLineInGerman],
  ['infra/cli/{turn,change,wait-for-log,passphrase,operation-command,command-table}.ts', commandLineInGerman],
  [
    '{infra/cli/commands/*,infra/features/*/command}.ts',
    commandLineInGerman,
    /^(?:---|# All of this|<\?xml|\{"action")/,
  ],
  ['infra/runner/!(allow-example|bubblewrap|check-folder|file-tools|file-script|contain).ts', commandLineInGerman],
  ['infra/{cli/plan-go-back,features/skills/skill-folder}.ts', commandLineInGerman],
  ['infra/cli/notes/*.ts', commandLineInGerman],
  ['lib/core/evidence/{verifier/*,signed-note,checkpoint,cosignature}.ts', pageInGerman],
  ['lib/features/forgetting/forget-form.ts', inGerman],
  ['lib/features/webhooks/oauth-token.ts', inGerman],
  ['lib/features/{mcp/actuator,runner/hand-order}.ts', inGerman],
  ['infra/{cli/doctor/*,features/*/doctor}.ts', commandLineInGerman],
  ['infra/cli/setup/!(setting-reach).ts', commandLineInGerman],
  ['infra/features/*/{sender,setup}-step.ts', commandLineInGerman],
  ['infra/local/start.ts', commandLineInGerman],
];

/** Members whose words models read, or which have a language of their own. */
const OTHER_MEMBERS = ['description', 'sentence', 'summary', 'help', 'form', 'forms', 'usage', 'name', 'error'];
/** A part of a sentence, which other literals make whole. */
const PIECE = /\wValue1|Value1t |^(?:[,;(]| \S|npx |aws |\/runners |https:)|^You would lose: $/;
/** These are made whole by another literal, which decides their words; or nobody reads them. */
const OTHERS: readonly string[] = [
  'Value1; it destroys too',
  'a path that would be Value1 Value1',
  '  programs beside those that only read: Value1; network: Value1',
  ...['a private chat', 'work on Value1', 'Change the job Value1. Value1', 'The job Value1 Value1.'],
  ...['Pause a job: it keeps its definition and does not run.', 'Let a paused job go on.'],
  ...['Remove a job. Its history stays.', 'its condition Value1', 'there is no webhook Value1; Value1'],
  ...['none is configured', 'those are Value1', 'Pause the job', 'Resume the job', 'Remove the job'],
  ...['  step Value1: Value1, up to Value1 Value1', 'the note Value1', 'what this file says'],
  ...['there is no Value1 "Value1"Value1', 'the secret Value1', 'the secret passepartout/Value1/telegram'],
  ...['the secret passepartout/Value1/act', 'expires in Value1', 'exactly as above'],
  ...['Value1, Value1 refused, the last because Value1', 'It can answer: Value1'],
  ...['Hello! Who are you? Answer in one sentence.', 'every 10 minutes say drink water', 'call the webhook Value1'],
  ...['does not fit', 'For any other: hmac, bearer, basic, header-token or path-token', 'Value1; empty to make one'],
  ...['A test of passepartout.', 'the set-up of passepartout', 'is there a network? I'],
  ...['Passepartout is running', 'Passepartout is running.Value1'],
  ...['with your machine Value1', 'as it was approved, but for Value1', 'exactly as it was approved'],
  ...['Value1 does not take "Value1"Value1', 'Value1; restore would refuse the backup, so none was written'],
  ...['is there with other content', 'cannot be written', 'would go in', 'Value1; nothing was written'],
  ...[
    'list | try [tool] [arguments as JSON]',
    'The owner asked for exactly this.',
    'Value1: Value1; nothing was restored',
  ],
  'Space Value1: Value1 of memory and Value1 of the log Value1.',
  'Value1/ (sign in with APPROVER_TOKEN, or the approverToken in Value1)',
  ...['The runner Value1 of Passepartout', 'the token service', 'ended it before it was done'],
  ...['does not know how it ended', 'at least Value1 of ', 'their rules were not computed'],
  '  OLDER THAN IT SAYS? Its newest leaf is more than an hour older than the time the file claims. ',
  'An old copy with a new date looks the same: an anchor made since tells.',
  "every moment of a job's rule has its occurrence, by the time zones of this machine",
  ...['Value1 newer than the export', 'Value1 of other machines', 'Value1 cut off by a crash'],
  ...['Value1 not chained, by an earlier release', 'Value1 as the log has them'],
  ...['Answer in one word.', 'Are you ready? Answer with: ready', 'Value1 in the environment'],
  ...['Value1 in line Value1 of .env', 'give a size such as 16MB', 'give a time such as 5m'],
  'give a name, a name and a subcommand, or the path of a program',
  'programs beside those that only read: Value1; network: Value1',
  ...['Value1; you and the agent are shown it so', 'it is longer than Value1 bytes', 'it is no text in UTF-8'],
  ...['a link out of the folder', 'a link to a folder', 'its name is not plain: rename it'],
  'Value1: kept as a file for a machine, which only commands there read',
  ...['a file for a machine has at most Value1', 'all files for a machine have at most Value1 together'],
  ...['Value1 characters in a title, more than Value1', 'values of a property'],
  'Value1: its beginning is the title, and all of it stands in the text',
  ...['Value1 Value1, more than Value1: split the note', 'Value1 has a member too many: Value1'],
  'its leaf is of another record: Value1',
  // Of webhooks: answers to senders, lines of events, and how a source is trusted.
  'Settings, CI/CD: Pipeline trigger tokens',
  'stripe slack linear shopify sentry pagerduty twilio discord sns zoom meta',
  ...['this is not a signed event of a known source', 'only POST is taken here', 'the sender of a webhook'],
  ...['half characters are shown as �', 'names that cannot be stored stand in parentheses'],
  ...['a member came twice in it, and the last one counts', 'a list with nothing in it'],
  ...['Value1 asked whether this address is mine, and was answered.', 'pushed to Value1', 'pushed by force to'],
  ...['Message to Value1: Value1', 'Call from Value1 to Value1: Value1'],
  ...['public key of the entry', "certificate at the sender's host"],
  ...['bare action repository', 'bare action repository !action=started', 'sha context state'],
  'membership | invitation | bare action organization !repository',
  'a runner did it, and its Value1 is missing',
  // For the model.
  'Value1 is a file for a machine: Value1 bytes, SHA-256 Value1. Nobody can read it here. A command of the tool shell that gives skill: "Value1" finds it as Value1/Value1.',
  'Value1 Value1 withheld, and no approval card, first in the decision Value1: the log holds the hash, and the file does not show what was done.',
  'The anchor is newer than this export (Value1 leaves, the file has Value1)Value1: use an older anchor or a newer export.',
  'Value1 Value1 not held by a leaf of the log, first Value1: nothing signs what the file says of them. Earlier releases wrote the last minute like this; export again.',
];
const WORDS = /\p{L}+ \p{L}+ \p{L}+/u;
const AS_TYPED = { io: 'input', unrepresentable: 'any' } as const;

const isNode = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && 'type' in value;

/** The sentences of a source, with a word for each value in them. */
const sentencesIn = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap(sentencesIn);
  if (!isNode(value)) return [];
  const { type, key, quasis, value: text } = value;
  if (/^TS|^Import/.test(String(type))) return type === 'TSAsExpression' ? sentencesIn(value.expression) : [];
  if (type === 'ObjectProperty' && isNode(key) && OTHER_MEMBERS.includes(String(key.name))) return [];
  const own =
    type === 'StringLiteral'
      ? [String(text)]
      : Array.isArray(quasis)
        ? [quasis.map((one) => one.value.cooked).join('Value1')]
        : [];
  return [...own.filter((one) => WORDS.test(one) && !PIECE.test(one)), ...Object.values(value).flatMap(sentencesIn)];
};

const sentencesOf = (file: string): readonly string[] => {
  const plugins = file.endsWith('x') ? (['typescript', 'jsx'] as const) : (['typescript'] as const);
  return sentencesIn(
    parse(readFileSync(join(ROOT, file), 'utf8'), { sourceType: 'module', plugins: [...plugins] }).program,
  );
};

/**
 * Files whose sentences nobody reads in a chat, on the page or in a terminal, or which have words
 * of their own.
 */
const ELSEWHERE: readonly string[] = [
  // Tables of texts, and the texts beside them.
  ...['**/*{texts,german}.ts', 'lib/core/judge/{approval-notices,card,code-choices,command-notices,notices}.ts'],
  ...[
    'lib/core/money/{caps,describe-left,describe-spending,spending-words}.ts',
    'lib/core/approvals/{open-cards,similar}.ts',
  ],
  ...[
    'lib/features/{chats/{buttons,say-why},mail/deliver,slack/parse-payload,telegram/parse-update}.ts',
    'lib/core/language/for-people.ts',
    'lib/features/jobs/rule-words.ts',
    'lib/core/tools/action-sentence.ts',
    'lib/features/jobs/{tools,parse-job-line}.ts',
  ],
  ...[
    'lib/features/{learning,providers}/tools.ts',
    'lib/core/edge/console/find-signals.ts',
    'lib/features/jobs/held-before.ts',
  ],
  // For models, and of scripts that stand in for one.
  ...[
    'lib/core/prompt/**',
    'lib/features/delegation/role.ts',
    // Programs of others, and their models, read what the MCP server says.
    'lib/features/door/*.ts',
    'lib/features/responses/!(german|manual|texts|texts-german).ts',
    'lib/features/skills/{built-in,built-in-cues,built-in-files,skill-jobs,functions,handler-code,tools/read-skill}.ts',
  ],
  ...[
    'lib/features/{outlines,plans}/ask-words.ts',
    'lib/core/tools/{describe-tools,long-output,script-state,rollback}.ts',
    'lib/features/{chats/format,signal/parse-event,slack/words,telegram/content}.ts',
    // For models, and for the log, which quotes nothing.
    'lib/features/mail/{automatic,parse-mail,receive,threads}.ts',
  ],
  ...[
    'lib/features/documents/!(act|picture-size|read-attachment|sentences-german|tools).ts',
    'lib/core/stages/reason/{build-turn-prompt,load-turn}.ts',
    'lib/features/runner/reason.ts',
    'lib/core/signal/**',
    'lib/core/signal/task-tools.ts',
  ],
  ...[
    'lib/features/learning/find-said.ts',
    'lib/core/judge/build-actions.ts',
    'lib/features/tending/mends.ts',
    'lib/core/text/**',
  ],
  ...['lib/core/sandbox/**', 'lib/core/stages/perceive/{answer-choice,gather-album}.ts', 'infra/local/demo-*.ts'],
  ...['lib/core/evidence/runner-records.ts', 'lib/features/notes/memory-*.ts'],
  'lib/core/llm/!(choose-model|configured-providers|providers).ts',
  'lib/features/voice/{speak,transcribe}.ts',
  // Words, names and forms of others: commands, hosts, files, providers.
  ...[
    'lib/features/runner/shell/**',
    'lib/core/memory/search/**',
    'lib/core/gates/rules/{explanation,host-names}.ts',
    'lib/features/claims/asked-for.ts',
    'lib/features/claims/turn-line.ts',
  ],
  ...['lib/features/policy/{cedar,compile-policy,draft-rule,find-undeclared,past,policy-domain}.ts'],
  'lib/core/judge/policy-setting.ts',
  ...['lib/core/approvals/mark-lookalikes.ts', 'lib/features/webhooks/presets.ts', 'infra/setting-meanings.ts'],
  ...['lib/features/runbooks/{runbook-file,runbook-schema}.ts', 'infra/features/policy/default-policy.ts'],
  'infra/features/runbooks/runbook-file.ts',
  'infra/runner/allow-example.ts',
  // Texts with their German beside them, by their type; words to ask in, of both; for a model.
  ...['lib/features/*/manual.ts', 'lib/features/manual/{core-pages,source,synonyms}.ts'],
  'lib/features/manual/answer.ts',
  // Answers to programs.
  ...[
    'lib/features/runner/edge/**',
    'lib/core/edge/console/{evidence,judge-again,memory,openapi,operations,router,stream}.ts',
    'lib/features/policy/try-signal.ts',
  ],
  ...[
    'lib/features/page/**',
    'lib/core/verbs/signals/shown-words.ts',
    'lib/core/http/**',
    'lib/features/{chats/accept-intake,signal/receive,slack/receive,telegram/receive}.ts',
    'infra/features/witnesses/witness.ts',
  ],
  ...['lib/features/subscriptions/tell-subscribers.ts', 'lib/features/witnesses/ask-witnesses.ts'],
  // Faults of the program, names of conditions, the cloud, and what is built.
  ...[
    'lib/core/store/!(setting-forms|settings).ts',
    'lib/core/base/**',
    'lib/core/evidence/*.ts',
    'lib/core/operations/**',
    'lib/core/gates/engine/**',
    'lib/core/ledger/**',
  ],
  ...[
    'lib/core/log/!(receipt-lines|rights).ts',
    'lib/core/memory/*.ts',
    'lib/features/runner/{order-row,runners,signed-rows}.ts',
  ],
  ...[
    'lib/features/skills/{load-former,skill-definition,skill-examples,skill-store,skills}.ts',
    'lib/core/stages/{batch,upkeep/*}.ts',
  ],
  ...[
    'lib/core/stages/act/{claim,perform}.ts',
    'lib/core/tools/mcp-catalogue.ts',
    'lib/core/actuators/actuators.ts',
    'lib/features/jobs/rule.ts',
  ],
  ...['lib/core/money/day-spend.ts', 'functions/**'],
  ...[
    'infra/{constructs/**,local/*/**,local/!(settings).ts}',
    'infra/!(inspect|inspection|reachability|settings).ts',
    'infra/features/{mail/poller,signal/follow-events,slack/connect,telegram/poller}.ts',
    'infra/features/restore/{restored-items,restore-stack}.ts',
  ],
  ...[
    'infra/{cli/stack,features/{restore/command,skills/{command,list-skills,skill-folder}}}.ts',
    'infra/runner/{bubblewrap,contain}.ts',
  ],
  ...['infra/cli/commands/{gates,service,try-line,verify}.ts', 'infra/cli/chat/run-chat.ts'],
  ...[
    'lib/core/verbs/approvals/handlers.ts',
    'lib/features/runbooks/{begin-job-run,answer-run-step}.ts',
    'lib/features/forgetting/forget-again.ts',
  ],
];

/** Whether the words stand in a sentence that German knows: other literals make them whole. */
const KNOWN = COMMAND_LINE_IN_GERMAN.map(([stored]) => stored.replaceAll(/[{[<]\d[}\]>]/g, 'Value1')).join('\n');
const isPart = (text: string): boolean =>
  new RegExp(
    text
      .split('Value1')
      .map((piece) => piece.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('[^\\n]*'),
  ).test(KNOWN);

const HEAD = 'permit (principal, action, resource)';
/** Policies, and conditions of one, with a fault each. */
const WRONG_POLICIES: readonly string[] = [
  ...['permit', 'permit (', HEAD, 'permit (principal, action);', 'permit (action, principal, resource);'],
  ...['permit (principal, action, resource, context);', 'permit (user, action, resource);'],
  ...['allow (principal, action, resource);', `${HEAD} where { true };`, `${HEAD} when { };`, `${HEAD} when { true`],
  ...['permit (principal > Agent::"x", action, resource);', 'permit (principal: Agent, action, resource);'],
  ...['permit (principal == ?principal, action, resource);', 'permit (principal, action is Action, resource);'],
  ...['permit (principal, action == "speak", resource);', 'permit (principal, action == speak, resource);'],
  ...['permit (principal, action, resource == Recipient);', 'permit (principal in [Agent::"a"], action, resource);'],
  ...['permit (principal, action == Tool::"x", resource);', 'permit (principal, action == Action::"x", resource);'],
  ...['permit (principal is Agnet, action, resource);', `@id("a") @id("b") ${HEAD};`, `${HEAD} # comment\n;`],
];
const WRONG_CONDITIONS: readonly string[] = [
  ...['context.foo == 1', 'context.target == "webhook"', 'context.args.foo == "a"', 'principal.orign == "owner"'],
  ...['context.hour', 'context.hour == "x"', 'context.hour > "a"', 'contxt.hour == 1', 'context.hour = 1'],
  ...['context.hour < 1 < 2', 'context.hour / 2 == 4', 'context.hour % 2 == 4', '1 + "a" == 2', '!!!!!true'],
  ...['9223372036854775808 == 1', '99999999999999999999999 == 1', '[] == []', '[1, "a"].contains(1)'],
  ...['{a: 1, a: 2} == {a: 1}', '{a: 1}.b == 1', 'context[hour] == 1', 'context has 3', 'Agent::{x: 1} == 1'],
  ...['context.session like 3', 'context.session like "\\q"', 'principal is "Agent"', 'context.hour is Agent'],
  ...['"abc', "'abc' == context.session", 'Agent == principal', 'like', '__cedar == 1', '?principal == principal'],
  ...['?foo == principal', 'contains(context.session, "a")', 'context.session.contains("a")', 'foo(1)', '"a".ip()'],
  ...['context.session.foo(1)', '[1].contains()', '[1].isEmpty(1)', '[1].containsAny(1)', 'ip.isIpv4()'],
  ...['ip("x").isIpv4()', 'ip(context.session).isIpv4()', 'decimal("x").lessThan(decimal("1.0"))'],
  ...['datetime("x") == datetime("y")', 'duration("x") == duration("y")', 'context.hour in [1]', 'principal in "x"'],
  ...['if context.hour == 1 then 1 else "a"', 'principal.getTag("x") == "a"', 'true == context.session'],
];

const UNKNOWN = 'each needs a row in a German list: lib/core/language/README.md says which list has what';

describe('stored sentences', () => {
  it.each(STORED.map(([files, say, but = /^$/]) => ({ files, say, but })))(
    'of $files are known in German',
    ({ files, say, but }) => {
      const found = globSync(files, { cwd: ROOT });
      expect(found).not.toStrictEqual([]);
      const sentences = found.flatMap(sentencesOf);
      const unknown = sentences.filter((one) => !but.test(one) && !OTHERS.includes(one) && say(one) === one);
      expect(unknown, UNKNOWN).toStrictEqual([]);
    },
  );

  it('stand in no other file unless German knows them', () => {
    const others = new Set(ELSEWHERE.flatMap((files) => globSync(files, { cwd: ROOT })));
    const found = globSync('{lib,functions,infra}/**/*.{ts,tsx}', { cwd: ROOT }).filter((file) => !others.has(file));
    expect(found.length).toBeGreaterThan(400);
    const unknown = found.flatMap((file) =>
      sentencesOf(file)
        .filter((one) => commandLineInGerman(one) === one && partInGerman(one) === one)
        .filter((one) => !isPart(one) && !OTHERS.includes(one))
        .map((one) => `${file}: ${one}`),
    );
    expect(unknown, UNKNOWN).toStrictEqual([]);
  });

  it('are the places where other services show secrets and addresses, too', () => {
    const places = [
      ...Object.values(SCHEMES).map(({ where }) => where),
      ...Object.values(PRESET_NEEDS).flatMap(({ url = '', bearer = '', key = ['', ''] }) => [url, bearer, key[1]]),
    ];
    expect(places.filter((one) => /\b(?:your|the|its|then|name)\b/.test(partInGerman(one)))).toStrictEqual([]);
  });

  it('are what is wrong with the value of each setting, too', () => {
    const values = ['', ' ', '\u0000', '-1', '[1]', '{"a":1}', 'ftp://x', 'http://x.example'];
    const faults = Object.entries(SETTINGS).flatMap(([name, { schema }]) =>
      values.flatMap(
        (value) => z.safeParse(schema, value).error?.issues.map(({ message }) => `${name}: ${message}`) ?? [],
      ),
    );
    expect(faults.length).toBeGreaterThan(200);
    expect(faults.filter((one) => commandLineInGerman(one) === one)).toStrictEqual([]);
  });

  it('are the words of Cedar about each of these faults, too', async () => {
    const cedar = await importCedar();
    const faults = [
      ...WRONG_POLICIES,
      ...WRONG_CONDITIONS.map((condition) => `permit (principal, action, resource) when { ${condition} };`),
    ];
    const said = faults.map((text) => commandLineInGerman(`  ${parsePolicy(cedar, text).problems[0]}`));
    const isKnown = (line: string) => /^ {2}(?:Zeile \d+, Spalte \d+: |eine Vorlage )/.test(line);
    expect(said.filter((line) => !isKnown(line))).toStrictEqual([]);
    expect(commandLineInGerman('line 1, column 2: something new; did you mean `x`?')).toBe(
      'Zeile 1, Spalte 2, in den Worten von Cedar: something new; war `x` gemeint?',
    );
  });

  it('are the sentences of all verbs, too', () => {
    const summaries = operationsIn(FEATURES).map(({ summary }) => summary);
    const nouns = FEATURES.flatMap(({ nouns = {} }) => Object.values(nouns));
    const fields = JSON.stringify(operationsIn(FEATURES).map(({ args }) => z.toJSONSchema(args, AS_TYPED)));
    const descriptions = [...fields.matchAll(/"description":("(?:[^"\\]|\\.)*")/g)].map(([, one = '']) =>
      JSON.parse(one),
    );
    expect(descriptions.length).toBeGreaterThan(50);
    const unknown = [...summaries, ...nouns, ...descriptions].filter((one) => inGerman(one) === one);
    expect(unknown, 'each needs a row in lib/core/language/verbs-german.ts').toStrictEqual([]);
  });

  it('are the words beside the form of a verb, too', () => {
    const forms = operationsIn(FEATURES).flatMap(({ name, form }) => (form === undefined ? [] : [`/${name} ${form}`]));
    const spoken = forms.filter((form) => /(?:, (?!or |session)|\. )\w+ \w+/.test(form));
    expect(spoken.length).toBeGreaterThan(4);
    expect(spoken.filter((form) => inGerman(form) === form)).toStrictEqual([]);
  });

  it('are the help of each command, too', async () => {
    const said: string[] = [];
    const terminal = buildTerminal(
      { write: (text) => said.push(text) },
      process.stderr,
      false,
      {},
      undefined,
      commandLineInGerman,
    );
    const commands = await loadCommands(['help']);
    for (const name of ['', ...commands.map((one) => one.name)])
      await commands.find((one) => one.name === 'help')?.run({ args: [name], terminal } as unknown as CommandContext);
    const sentences = commands.flatMap(({ summary, verbs = [], options = {} }) => [
      summary,
      ...verbs.map(([, sentence]) => sentence),
      ...Object.values(options).map(({ help }) => help.replace(/^[a-z-]+: /, '')),
    ]);
    expect(sentences.length).toBeGreaterThan(200);
    const text = said.join('');
    expect(sentences.filter((one) => one !== '' && text.includes(`  ${one}\n`))).toStrictEqual([]);
    expect(text).not.toMatch(/usage:|Everywhere:|Exit codes:/);
  });

  it('are each said in one way', () => {
    const said = Map.groupBy(COMMAND_LINE_IN_GERMAN, ([stored]) => stored);
    const ways = [...said].filter(([, pairs]) => new Set(pairs.map(([, words]) => words)).size > 1);
    expect(ways).toStrictEqual([]);
  });

  it('keep each value that German names', () => {
    const holes = (text: string): readonly string[] => [...new Set(text.match(/[{[<]\d[}\]>]/g))].sort();
    const lost = COMMAND_LINE_IN_GERMAN.filter(([stored, said]) =>
      holes(said).some((hole) => !holes(stored).includes(hole)),
    );
    expect(lost).toStrictEqual([]);
  });

  it.each([
    ['it destroys too', 'er zerstört auch'],
    ['  writes: none', '  schreibt: nichts'],
    ["the tool shell needs a person's approval", 'das Werkzeug shell braucht das Ja eines Menschen'],
    [
      'the reply: text holds what looks like a secret: key (secret-formats); shell: no machine of this name is paired (confinement)',
      'die Antwort: text enthält etwas, das wie ein Geheimnis aussieht: key (secret-formats); shell: kein Rechner dieses Namens ist gekoppelt (confinement)',
    ],
    ['what an outsider wrote; stays', 'what an outsider wrote; stays'],
    // A part that must be known; one that need not be; a list of parts.
    ['r.yaml line 1: description is missing', 'r.yaml, Zeile 1: description fehlt'],
    ['r.yaml line 1: what an outsider wrote', 'r.yaml line 1: what an outsider wrote'],
    ['BUDGET must be what an outsider wrote', 'BUDGET must be what an outsider wrote'],
    ['/a/b: it does not exist', '/a/b: es gibt sie nicht'],
    ['what somebody wrote: it does not exist', 'what somebody wrote: it does not exist'],
    [
      'the arguments do not fit the tool: body must be a text',
      'die Angaben passen nicht zum Werkzeug: body muss ein Text sein',
    ],
    [
      'Newly possible without a question: reading in /a, the program git.',
      'Neu ohne Frage möglich: lesen in /a, das Programm git.',
    ],
    ['Newly possible without a question: a thing, another.', 'Neu ohne Frage möglich: a thing, another.'],
    [`it destroys too${' '.repeat(2_000)}`, `it destroys too${' '.repeat(2_000)}`],
    // Nothing here may take long, or begin anew within itself without end.
    ...['a: ', 'a, ', 'a; ', 'a line 1: ', 'a: a, ', '; nothing was called'].map((one): [string, string] => {
      const text = `${one.repeat(Math.floor(1_990 / one.length))}x`;
      return [text, text];
    }),
  ])('say “%.40s” line by line, and leave what they do not know', (stored, said) => {
    expect(inGerman(`${stored}\nunknown words`)).toBe(`${said}\nunknown words`);
  });
});
