/** The tables of routes in the READMEs of the room and of features are those in the code. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../../../infra/bundling.ts';
import { buildOpenApi } from '../../../../lib/core/edge/console/openapi.ts';
import { SIGNAL_ID_PATTERN } from '../../../../lib/core/edge/console/router.ts';
import { ROUTES } from '../../../../lib/core/edge/console/routes.ts';
import { FEATURES } from '../../../../lib/features/features.ts';

/** Doors of other functions, and the description of all operations. */
const OTHERS = ['GET /api/openapi.json', 'POST /runner/<>', 'POST /telegram', 'POST /webhook/<>'];

const written = (): readonly string[] => {
  const pages = globSync(['lib/core/edge/README.md', 'lib/features/*/README.md'], { cwd: ROOT });
  const lines = pages.flatMap((page) => readFileSync(join(ROOT, page), 'utf8').split('\n'));
  const rows = lines.filter((line) => /^\| `(?:GET|POST) \//.test(line));
  return rows.flatMap((row) => {
    let method = '';
    return [...(row.split(' | ')[0] ?? '').matchAll(/`(?:(GET|POST) )?(\/[^`?]*)/g)].map(([, given, path = '']) => {
      method = given ?? method;
      return `${method} ${path.replaceAll(/<[^>]+>/g, '<>')}`;
    });
  });
};

const built = (): readonly string[] =>
  ROUTES.map(({ method, path }) => {
    const source = path.source
      .slice(1, -1)
      .replaceAll('\\/', '/')
      .replace(SIGNAL_ID_PATTERN.replaceAll('\\/', '/'), '');
    const plain = source.replace('(tile/.+)', 'tile/<>').replaceAll(/\((?:[^()]|\([^()]*\))*\)/g, '<>');
    return `${method} ${plain}`;
  });

describe('ROUTES', () => {
  it('are the routes of the README', () => {
    const tile = (route: string): string => route.replace(/tile\/.*/, 'tile/<>');
    expect([...new Set(written().map(tile))].sort()).toStrictEqual([...new Set([...built(), ...OTHERS])].sort());
  });
});

describe('buildOpenApi', () => {
  it('refers only to what the document holds', () => {
    const references = JSON.stringify(buildOpenApi(FEATURES.flatMap(({ operations }) => operations))).match(
      /"\$ref":"[^"]*"/g,
    );
    expect([...new Set(references)]).toStrictEqual(['"$ref":"#/components/schemas/Error"']);
  });
});
