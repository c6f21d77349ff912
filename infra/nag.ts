/**
 * cdk-nag's AwsSolutions rules over the whole app. Every acknowledgement says why the rule does not help here; anything
 * else fails synthesis.
 */
import { type App, type Stack, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';

export const ACKNOWLEDGEMENTS: readonly { readonly id: string; readonly reason: string }[] = [
  {
    id: 'AwsSolutions-SMG4',
    reason:
      'These are keys of other services (bot token, model keys, webhook keys) and tokens of our own clients: rotating ' +
      'one means telling its other side, which only its owner can do. Functions read them again every five minutes, so ' +
      'a changed value needs no deployment.',
  },
  {
    id: 'AwsSolutions-S1',
    reason:
      'The bucket of anchors holds signed checkpoints, which are public by nature, and takes writes from one role only. What ' +
      'counts is that none can be taken back, which Object Lock guarantees whoever reads; access logs would need a second bucket.',
  },
];

/** Adds the rules to an app. */
export const checkWithNag = (app: App, stack: Stack): AwsSolutionsChecks => {
  for (const acknowledgement of ACKNOWLEDGEMENTS) Validations.of(stack).acknowledge(acknowledgement);
  const checks = new AwsSolutionsChecks(app);
  Validations.of(app).addPlugins(checks);
  return checks;
};
