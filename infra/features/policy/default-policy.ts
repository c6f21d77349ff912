/**
 * The default permissions as a Cedar text, from which an owner starts. Every action has the tier
 * that it has without a policy; a test holds the two together. Pure.
 */

import type { Tier } from '../../../lib/core/judge/space-policy.ts';
import { POLICY_TOOLS } from '../../../lib/features/policy/policy-domain.ts';

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

/** Only a command that reads needs nobody's yes. */
const commandStatements = (tool: string): readonly string[] => {
  const action = `== Action::${JSON.stringify(tool)}`;
  const reads = '{ context.class == "reads" }';
  return [
    statement(tool, 'ask', action, `\nunless ${reads}`),
    statement(`${tool}-reads`, 'allow', action, `\nwhen ${reads}`),
  ];
};

export const buildDefaultPolicy = (): string =>
  `${[
    HEAD.join('\n'),
    statement('plain-replies', 'allow', 'in Action::"any-text"', '\nwhen { context.isPlainReply }'),
    statement('other-texts', 'ask', 'in Action::"any-text"', '\nunless { context.isPlainReply }'),
    ...POLICY_TOOLS.flatMap(({ name, tier, effects }) =>
      effects?.runsCommand === undefined
        ? statement(name, tier, `== Action::${JSON.stringify(name)}`, '')
        : commandStatements(name),
    ),
  ].join('\n\n')}\n`;
