import { describe, expect, it } from 'vitest';
import { USUAL_FUNCTIONS } from '../../infra/functions.ts';
import { AS_DEPLOYED, BACK_PARAMETER, parseRelease } from '../../infra/releases.ts';
import { DATA_VERSION } from '../../lib/core/base/data-version.ts';
import { resourcesOf, type Synthesised, synthesise } from './template.ts';

const { json } = synthesise();

const idsOf = (type: string): readonly string[] => resourcesOf(json, type).map(([id]) => id);
const strip = (logicalId: string): string => logicalId.replace(/[0-9A-F]{8}$/, '');

const releaseOf = (one: Synthesised['json']): string => {
  const marks = resourcesOf(one, 'AWS::Lambda::Function').map(([, { Properties }]) =>
    parseRelease(Properties.Description),
  );
  const release = marks[0]?.release ?? '';
  expect(marks).toStrictEqual(USUAL_FUNCTIONS.map((name) => ({ name, release, data: DATA_VERSION })));
  return release;
};

describe('Release', () => {
  it('keeps every version that a deploy published, and none that a failed one made', () => {
    const versions = resourcesOf(json, 'AWS::Lambda::Version').map(([, { Properties, ...rest }]) => [
      Properties.FunctionName.Ref,
      rest.DeletionPolicy,
    ]);
    expect(versions).toStrictEqual(idsOf('AWS::Lambda::Function').map((id) => [id, 'RetainExceptOnCreate']));
  });

  it('has a parameter of this release only, with a place for each function', () => {
    const name = `${BACK_PARAMETER}${releaseOf(json)}`;
    expect(json.Parameters[name]).toMatchObject({
      Type: 'CommaDelimitedList',
      Default: USUAL_FUNCTIONS.map(() => AS_DEPLOYED).join(','),
    });
    expect(Object.values(json.Conditions)).toStrictEqual([
      { 'Fn::Not': [{ 'Fn::Equals': [{ 'Fn::Select': [0, { Ref: name }] }, AS_DEPLOYED] }] },
    ]);
    expect(json.Outputs.Functions).toStrictEqual({
      Value: {
        'Fn::Join': [
          '',
          idsOf('AWS::Lambda::Function').flatMap((id, index) => [...(index > 0 ? [','] : []), { Ref: id }]),
        ],
      },
    });
  });

  it('moves each alias over ten minutes, or at once to the version that the parameter names', () => {
    const [isBack] = Object.keys(json.Conditions);
    const parameter = `${BACK_PARAMETER}${releaseOf(json)}`;
    const groups = idsOf('AWS::CodeDeploy::DeploymentGroup');
    const [application] = idsOf('AWS::CodeDeploy::Application');
    const functions = idsOf('AWS::Lambda::Function');
    const versions = idsOf('AWS::Lambda::Version');
    for (const [index, [, alias]] of resourcesOf(json, 'AWS::Lambda::Alias').entries()) {
      expect(alias.Properties).toStrictEqual({
        Name: 'live',
        FunctionName: { Ref: functions[index] },
        FunctionVersion: {
          'Fn::If': [
            isBack,
            { 'Fn::Select': [index, { Ref: parameter }] },
            { 'Fn::GetAtt': [versions[index], 'Version'] },
          ],
        },
      });
      const name = USUAL_FUNCTIONS[index];
      const group = groups.find((id) => strip(id) === `Releases${name?.replace('-', '')}`);
      const policy = { ApplicationName: { Ref: application }, DeploymentGroupName: { Ref: group } };
      expect(alias.UpdatePolicy).toStrictEqual(
        name === 'heartbeat'
          ? undefined
          : { CodeDeployLambdaAliasUpdate: { 'Fn::If': [isBack, { Ref: 'AWS::NoValue' }, policy] } },
      );
    }
    for (const [, { Properties }] of resourcesOf(json, 'AWS::CodeDeploy::DeploymentGroup'))
      expect(Properties.DeploymentConfigName).toBe('CodeDeployDefault.LambdaLinear10PercentEvery1Minute');
  });

  it('moves the heartbeat last, because it raises the version of the data', () => {
    const [[, heartbeat] = []] = resourcesOf(json, 'AWS::Lambda::Alias').filter(([id]) => id.startsWith('Heartbeat'));
    const others = idsOf('AWS::Lambda::Alias').filter((id) => !id.startsWith('Heartbeat'));
    expect(heartbeat?.DependsOn).toStrictEqual([...others].sort());
  });

  it('takes a function back if one of its runs fails, and a stage if a message of its was dead-lettered', () => {
    const alarms = Object.fromEntries(
      resourcesOf(json, 'AWS::CodeDeploy::DeploymentGroup').map(([id, { Properties }]) => {
        const { Alarms: rung = [] } = Properties.AlarmConfiguration ?? {};
        expect(Properties.AutoRollbackConfiguration).toStrictEqual({
          Enabled: true,
          Events: [
            ...['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_REQUEST'],
            ...(rung.length > 0 ? ['DEPLOYMENT_STOP_ON_ALARM'] : []),
          ],
        });
        const names = rung.map((alarm: { Name: { Ref: string } }) => alarm.Name.Ref);
        return [strip(id), names.map(strip)];
      }),
    );
    const stage = (name: string) => [`Releases${name}`, [`Alarms${name}Errors`, 'AlarmsDeadLetters']] as const;
    const other = (name: string) => [`Releases${name}`, [`Alarms${name}Errors`]] as const;
    expect(alarms).toStrictEqual(
      Object.fromEntries([
        ...['perceive', 'reason', 'act', 'log'].map(stage),
        ...['telegram', 'webhook', 'console', 'control', 'embed', 'deadletter', 'runner'].map(other),
        // A file that breaks it is no fault of a release.
        ['Releasesdocument', []],
      ]),
    );
  });

  it('names a release by all that makes a version, and by nothing else', () => {
    const release = releaseOf(json);
    expect(release).toMatch(/^[0-9a-f]{8}$/);
    expect(json.Outputs.Release).toStrictEqual({ Value: release });
    expect(releaseOf(synthesise({ ALARM_EMAIL: 'owner@example.com', SHIFT: 'off' }).json)).toBe(release);
    expect(releaseOf(synthesise({ MEMEX_USER: 'Ada' }).json)).not.toBe(release);
    expect(releaseOf(synthesise({ REASON_MEMORY_MB: '512' }).json)).not.toBe(release);
  });

  it('changes all functions at once if it is told to', () => {
    const { json: atOnce } = synthesise({ SHIFT: 'off' });
    const aliases = resourcesOf(atOnce, 'AWS::Lambda::Alias');
    expect(aliases).toHaveLength(USUAL_FUNCTIONS.length);
    expect(aliases.filter(([, { UpdatePolicy }]) => UpdatePolicy !== undefined)).toStrictEqual([]);
    expect(resourcesOf(atOnce, 'AWS::CodeDeploy::DeploymentGroup')).toStrictEqual([]);
  });

  it("stays far below CloudFormation's 500 resources", () => {
    expect(Object.keys(json.Resources).length).toBeLessThan(250);
  });
});
