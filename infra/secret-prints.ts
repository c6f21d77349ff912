/** `SECRET_PRINTS` of an environment's secrets; `npm run secret-prints` prints it for the cloud. */
import { randomBytes } from 'node:crypto';
import { SETTING_NAMES, settingOf, type Variables } from '../lib/core/store/settings.ts';
import { buildSecretPrints, SECRET_PRINTS } from '../lib/core/text/secret-prints.ts';
import { secretValuesOf } from '../lib/core/text/secret-values.ts';

export const printSecrets = (environment: Variables): string => {
  const names = SETTING_NAMES.filter((name) => settingOf(name).isSecret === true && name !== SECRET_PRINTS);
  const secrets = new Map(names.map((name) => [name, environment[name] ?? '']));
  return buildSecretPrints(secretValuesOf(secrets), randomBytes(16).toString('hex'));
};

if (import.meta.main) console.log(printSecrets(process.env));
