/** `npm run settings`: writes the table of settings in `infra/README.md`, and `.env.example`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { SETTING_NAMES, type Setting, settingOf } from '../lib/core/store/settings.ts';
import { SETTING_MEANINGS } from './setting-meanings.ts';

const README = new URL('README.md', import.meta.url);
const EXAMPLE = new URL('../.env.example', import.meta.url);

const whereOf = ({ isSecret, by, isLive }: Setting): string => {
  if (isSecret) return 'secret';
  return `${by ?? 'both'}${isLive === true ? ', live' : ''}`;
};

export const buildSettingsTable = (): string => {
  const rows = SETTING_NAMES.flatMap((name) => {
    const setting = settingOf(name);
    if (setting.by === 'derived' || setting.by === 'stack') return [];
    const usual = setting.default ? `\`${setting.default}\`` : '–';
    return [`| \`${name}\` | ${usual} | ${whereOf(setting)} | ${SETTING_MEANINGS[name]} |`];
  });
  return ['| variable | default | where | meaning |', '|---|---|---|---|', ...rows].join('\n');
};

/** A document with a new table between the marks of this name. */
export const putTable = (document: string, name: string, table: string): string => {
  const [begin, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`];
  const [before = '', rest = ''] = document.split(begin);
  const [, after = ''] = rest.split(end);
  return `${before}${begin}\n${table}\n${end}${after}`;
};

export const putSettingsTable = (readme: string): string => putTable(readme, 'settings', buildSettingsTable());

const COMMENT_COLUMNS = 96;

/** A meaning as comment lines: its links by their words, nothing emphasised. */
const commentOf = (meaning: string): string =>
  meaning
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('\\|', '|')
    .replace(new RegExp(`(.{1,${COMMENT_COLUMNS}})(?: |$)`, 'g'), '# $1\n');

/** Each setting of the stack at home with its meaning, all of them left at their defaults. */
export const buildEnvExample = (): string => {
  const entries = SETTING_NAMES.flatMap((name) => {
    const { by, default: usual = '' } = settingOf(name);
    return by === undefined || by === 'local' ? [`${commentOf(SETTING_MEANINGS[name])}#${name}=${usual}\n`] : [];
  });
  const opening =
    '# Copy this file to `.env`, run `chmod 600 .env` as it may hold keys, and take the mark # away in\n# front of each setting that you change.\n';
  return [opening, ...entries].join('\n');
};

if (import.meta.main) {
  writeFileSync(README, putSettingsTable(readFileSync(README, 'utf8')));
  writeFileSync(EXAMPLE, buildEnvExample());
}
