/**
 * The default permissions as a Cedar text, from which an owner starts. Every action has the tier
 * that it has without a policy; a test holds the two together. Pure.
 */
import { DEFAULT_PERMISSIONS, type Permission, type Tier } from '../../../lib/judge/policy/default-permissions.ts';
import { POLICY_TOOLS } from '../../../lib/judge/policy/policy-domain.ts';

const HEAD = [
  '// What the agent may do. Where no rule speaks, the default permissions count.',
  '//',
  '//   forbid           never; wins over everything',
  '//   @ask("") permit  only with your approval',
  '//   permit           by itself',
  '//',
  '// principal.origin   whose words drive it: Origin::"owner", Origin::"agent", Origin::"outside"',
  '// resource           .target, .name (webhook, chat) and .url it goes to',
  '// context            .session, .hour (UTC), .isPlainReply, .amount, .past,',
  '//                    .args of a tool, .text of a message',
  '//',
  '// The other gates still apply: a permit lifts no block of theirs.',
];

const statement = (id: string, tier: Tier, action: string, condition: string): string =>
  `@id("${id}")${tier === 'ask' ? ' @ask("")' : ''}\n${tier === 'deny' ? 'forbid' : 'permit'}(principal, action ${action}, resource)${condition};`;

const valuesCondition = ({ args = {} }: Permission): string =>
  Object.entries(args)
    .map(([name, values]) => `${JSON.stringify(values)}.contains(context.args[${JSON.stringify(name)}])`)
    .join(' && ');

/** Only a command that reads needs nobody's yes. */
const commandStatements = (tool: string): readonly string[] => {
  const action = `== Action::${JSON.stringify(tool)}`;
  const reads = '{ context.class == "reads" }';
  return [
    statement(tool, 'ask', action, `\nunless ${reads}`),
    statement(`${tool}-reads`, 'allow', action, `\nwhen ${reads}`),
  ];
};

const toolStatements = (tool: string, tier: Tier): readonly string[] => {
  const exact = DEFAULT_PERMISSIONS.filter((row) => row.tool === tool && row.args !== undefined);
  const action = `== Action::${JSON.stringify(tool)}`;
  const bare = DEFAULT_PERMISSIONS.find((row) => row.tool === tool && row.args === undefined)?.effect ?? tier;
  const unless = exact.length === 0 ? '' : `\nunless { ${exact.map(valuesCondition).join(' || ')} }`;
  return [
    statement(tool, bare, action, unless),
    ...exact.map((row, index) =>
      statement(`${tool}-${index + 1}`, row.effect, action, `\nwhen { ${valuesCondition(row)} }`),
    ),
  ];
};

export const buildDefaultPolicy = (): string =>
  `${[
    HEAD.join('\n'),
    statement('plain-replies', 'allow', 'in Action::"any-text"', '\nwhen { context.isPlainReply }'),
    statement('other-texts', 'ask', 'in Action::"any-text"', '\nunless { context.isPlainReply }'),
    ...POLICY_TOOLS.flatMap(({ name, tier, effects }) =>
      effects?.runsCommand === undefined ? toolStatements(name, tier) : commandStatements(name),
    ),
  ].join('\n\n')}\n`;
