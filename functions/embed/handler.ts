/**
 * Embed: each minute, gives new and changed objects of memory their vectors, and takes away those
 * of what was forgotten. It asks nobody while memory has not changed (I12).
 */
import { openTable } from '../../lib/core/store/data-version.ts';
import { readEnvironment } from '../../lib/core/store/env.ts';
import { buildLog } from '../../lib/core/store/log.ts';
import { buildReadSecrets } from '../../lib/core/store/secrets.ts';
import { secretsOf } from '../../lib/core/store/settings.ts';
import { wireEmbed } from './wire.ts';

const env = readEnvironment('embed');

export const handler = wireEmbed(
  env.SPACE,
  openTable(env),
  buildReadSecrets(secretsOf('embed')),
  buildLog(env.LOG_LEVEL),
);
