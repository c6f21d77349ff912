import { describe, expect, it } from 'vitest';
import { completeInputs, fillInputs, type Inputs } from '../../../lib/features/runbooks/inputs.ts';

const runbook = {
  name: 'deploy-gate',
  inputs: [
    { name: 'service', meaning: 'Name of the service', default: 'shop' },
    { name: 'version', meaning: 'Version to deploy', default: '{{event.body.version}}' },
  ],
};

describe('completeInputs', () => {
  it.each<[Inputs, boolean, Inputs]>([
    [{ version: '1' }, false, { service: 'shop', version: '1' }],
    [{}, true, { service: 'shop', version: '{{event.body.version}}' }],
    [{ service: '{{event.body.of}}' }, true, { service: '{{event.body.of}}', version: '{{event.body.version}}' }],
  ])('completes %j (event: %s)', (given, hasEvent, inputs) => {
    expect(completeInputs(runbook, given, hasEvent)).toStrictEqual({ kind: 'inputs', inputs });
  });

  it.each<[Inputs, boolean, readonly string[]]>([
    [{}, false, ['the input version is missing: Version to deploy']],
    [{ version: '1', verison: '2' }, false, ['deploy-gate has no input verison; it has service, version']],
    [{ version: '{{event.body.v}}' }, false, ['the input version names the event, and no event starts this run']],
    [
      { version: '{{inputs.service}}' },
      true,
      ['the input version may name parts of the event only, such as {{event.body.version}}'],
    ],
    [{ version: 'x'.repeat(1_001) }, false, ['the input version has more than 1000 characters']],
  ])('refuses %j (event: %s)', (given, hasEvent, problems) => {
    expect(completeInputs(runbook, given, hasEvent)).toStrictEqual({ kind: 'problems', problems });
  });
});

describe('fillInputs', () => {
  it('takes values from the event, and leaves out those that it does not have', () => {
    const inputs = { a: 'plain', b: 'v{{event.body.version}}', c: '{{event.body.other}}' };
    expect(fillInputs(inputs, { body: { version: 3 } })).toStrictEqual({ a: 'plain', b: 'v3' });
    expect(fillInputs(inputs, undefined)).toStrictEqual({ a: 'plain' });
  });
});
