/**
 * Paths: how they are brought to one spelling, which ones lead to secrets, and that no other
 * spelling gets by.
 */

import { describe, expect, it } from 'vitest';
import { checkSecretPaths } from '../../../../lib/core/gates/rules/secret-paths.ts';
import { findSecretPath } from '../../../../lib/core/text/find-secret-path.ts';
import { canonicalPath } from '../../../../lib/core/text/path-canonical.ts';
import { fc } from '../../../support/fast-check.ts';
import { GROWTH_MAX, growthOf } from '../../../support/growth.ts';
import { factsFor, toolCall, webhookCall } from '../samples.ts';

const judge = (path: string) => {
  const action = toolCall({ tool: 'read-file', args: { path } });
  return checkSecretPaths(action, factsFor(action));
};
const isBlocked = (path: string): boolean => judge(path).verdict === 'block';

describe('canonicalPath', () => {
  it.each([
    ['a/./b//c', 'a/b/c'],
    ['a/../b', 'b'],
    ['../../x', '../../x'],
    ['/../x', '/x'],
    ['~/../x', '~/../x'],
    ['.', '.'],
    ['/', '/'],
    ['a/b/', 'a/b'],
    ['$HOME/x', '~/x'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's own spelling
    ['${HOME}/x', '~/x'],
    ['file:///a/b', '/a/b'],
    ['file:/a/b', '/a/b'],
    ['FILE://localhost/a', '/a'],
    ['a%2fb%252ec', 'a/b.c'],
    ['a\\b', 'a/b'],
    ['a. /b..', 'a/b'],
    ['ａ／ｂ', 'a/b'],
    ['a\u200bb', 'ab'],
    ['100%', '100%'],
    ['My Letter.md', 'My Letter.md'],
  ])('turns %j into %j', (path, expected) => {
    expect(canonicalPath(path)).toBe(expected);
  });

  it.each([[''], [' '], ['a\u0000b'], ['a%00b'], ['a\nb'], [`a%${'25'.repeat(20)}2e`], ['a/'.repeat(3_000)]])(
    'has none for %j',
    (path) => {
      expect(canonicalPath(path)).toBeUndefined();
    },
  );

  it('is idempotent', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '.',
        '..',
        '/',
        '\\',
        '%2e',
        '%2f',
        '%25',
        '~',
        '$HOME',
        'file:',
        '//',
        ' ',
        '．',
        '\u200b',
        'a',
        '.env',
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const once = canonicalPath(pieces.join(''));
        if (once !== undefined) expect(canonicalPath(once)).toBe(once);
      }),
      { numRuns: 2_000 },
    );
  });
});

/** Ways to write the same path. Each leaves its meaning to a tool that is not careful. */
const SPELLINGS: readonly ((path: string) => string)[] = [
  (path) => path.toUpperCase().replace(/^\$\{?HOME\}?/, '~'),
  (path) => `./${path}`,
  (path) => `x/../${path}`,
  (path) => path.replaceAll('/', '//'),
  (path) => path.replaceAll('/', '/./'),
  (path) => path.replaceAll('/', '\\'),
  (path) => path.replaceAll('.', '%2e'),
  (path) => path.replaceAll('.', '%252E'),
  (path) => path.replace(/[a-z]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  (path) => path.replace(/[a-z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
  (path) => `${path}.`,
  (path) => `${path} `,
  (path) => `${path}/`,
  (path) => path.split('').join('\u200b'),
];
/** The places themselves are in `test/core/text/find-secret-path.test.ts`. */
const RELATIVE = [
  ...['.env', 'config/.env', 'deploy/prod.env', '.aws/credentials', 'backup/id_rsa', 'id_ed25519.old', '.npmrc'],
  ...['.kube/config', '.docker/config.json', 'secrets/db.key', '.config/gh/hosts.yml', 'wp-config.php'],
] as const;

describe('checkSecretPaths', () => {
  it('stops every spelling of what it stops', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...RELATIVE),
        fc.array(fc.constantFrom(...SPELLINGS), { maxLength: 2 }),
        (path, spell) => {
          const spelled = spell.reduce((text, change) => change(text), path as string);
          expect(isBlocked(spelled), spelled).toBe(true);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('changes another spelling to the canonical one, and nothing else', () => {
    const action = toolCall({ tool: 'write-file', args: { path: './a/../notes.md', content: './a/../b' } });
    expect(checkSecretPaths(action, factsFor(action))).toStrictEqual({
      verdict: 'modify',
      reason: 'the path is given in its canonical form',
      action: { ...action, args: { path: 'notes.md', content: './a/../b' } },
    });
  });

  it.each(['path', 'file', 'filepath', 'file-path', 'filePath', 'file_path', 'filename', 'directory'])(
    'looks at the argument %s, and says what is wrong with it',
    (field) => {
      const judged = (value: unknown) => {
        const action = toolCall({ tool: 'read-file', args: { [field]: value, other: '~/.ssh/x' } as never });
        return checkSecretPaths(action, factsFor(action));
      };
      expect(judged('~/.ssh/x')).toStrictEqual({
        verdict: 'block',
        reason: `${field} leads to a directory of credentials`,
      });
      expect(judged('a\u0000')).toStrictEqual({ verdict: 'block', reason: `${field} has no canonical form` });
      for (const value of ['a', 5, null, ['~/.ssh/x']])
        expect(judged(value)).toStrictEqual({ verdict: 'pass', reason: '' });
    },
  );

  it('changes every path that needs it at once', () => {
    const action = toolCall({ tool: 'copy', args: { path: './a', file: 'b', filename: 'c//d' } });
    const verdict = checkSecretPaths(action, factsFor(action));
    expect(verdict.verdict === 'modify' ? verdict.action.args : verdict).toStrictEqual({
      path: 'a',
      file: 'b',
      filename: 'c/d',
    });
  });

  it('has no opinion on what is no tool call', () => {
    const { args: _args, ...bare } = toolCall();
    for (const action of [webhookCall({ args: { path: '~/.ssh/x' } }), bare])
      expect(checkSecretPaths(action, factsFor(action))).toStrictEqual({ verdict: 'pass', reason: '' });
  });

  it.each(['/etc/sha?ow', '~/.ss?/id_rsa', '.e*', '/etc/sh[a]dow', '/proc/*/environ'])(
    'stops the pattern %s',
    (path) => {
      expect(findSecretPath(path)).toBeTypeOf('string');
    },
  );

  it.each(['*', '*.ts', 'src/**/*.ts', '/etc/*.conf', '[ab].md'])('lets the pattern %s through', (path) => {
    expect(findSecretPath(path)).toBeUndefined();
  });

  it('never quotes the path', () => {
    const verdict = judge('/home/ada/quarterly-plan/.env');
    expect(JSON.stringify(verdict)).not.toContain('quarterly');
  });

  it('takes no longer than the length of a path asks for', async () => {
    for (const unit of ['a-', '.env.', '../', '%25', '_token', '[', '*a', 'secret-']) {
      const growth = await growthOf(Math.floor(4_000 / unit.length), (count) => judge(unit.repeat(count)));
      expect(growth, unit).toBeLessThan(GROWTH_MAX);
    }
  });
});
