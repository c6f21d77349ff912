import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { environmentProblems, settingsPrologue } from '../../infra/environment-size.ts';
import { parseTemplate } from '../../infra/template.ts';

const templateWith = (variables: Readonly<Record<string, unknown>>) =>
  parseTemplate({
    Resources: {
      ReasonFunction: {
        Type: 'AWS::Lambda::Function',
        Properties: { Environment: { Variables: variables } },
        Metadata: { passepartout: { name: 'reason', entry: 'functions/reason/handler.ts', routes: [], secrets: [] } },
      },
    },
  });

describe('environmentProblems', () => {
  it('counts names, bytes and what only the deployment knows, up to the last byte that Lambda takes', () => {
    const rest = { TABLE_NAME: { Ref: 'Table' }, TIME_ZONE: 'é' };
    const room = 4_096 - 'TABLE_NAME'.length - 180 - 'TIME_ZONE'.length - 2 - 'HOME_CHAT'.length;
    expect(environmentProblems(templateWith({ ...rest, HOME_CHAT: 'x'.repeat(room) }))).toStrictEqual([]);
    expect(environmentProblems(templateWith({ ...rest, HOME_CHAT: 'x'.repeat(room + 1) }))).toStrictEqual([
      'reason: its environment is 4097 bytes, and Lambda takes 4096; the longest are HOME_CHAT (3896), TABLE_NAME (190), TIME_ZONE (11)',
    ]);
  });
});

describe('settingsPrologue', () => {
  it('sets what the code after it reads, whatever the characters, on one line of ASCII', () => {
    const rules = JSON.stringify([{ words: ['wörd "quoted"', '語\n', '$' + '{x}', '\u2028'] }]).padEnd(9_000);
    const prologue = settingsPrologue({ MODEL_RULES: rules });
    expect(prologue).toMatch(/^[ -~]+$/);
    const code = `${prologue}process.stdout.write(process.env.MODEL_RULES)`;
    const out = execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' });
    expect(out).toBe(rules);
  });

  it('is nothing where nothing is long', () => {
    expect(settingsPrologue({})).toBe('');
  });
});
