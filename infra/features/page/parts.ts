/** The page's files, its script, and the worker that verifies evidence in the browser. */
import type { BrowserParts } from '../../bundling.ts';

const PAGE = './lib/features/page';
const VERIFIER = `${PAGE}/app/verifier`;

export const PAGE_PARTS: BrowserParts = {
  function: 'console',
  files: [`${PAGE}/page.html`, `${PAGE}/page.css`],
  scripts: [
    { entryPoints: { page: `${PAGE}/app/page.tsx` }, jsx: 'automatic', jsxImportSource: 'preact' },
    {
      entryPoints: { verifier: `${VERIFIER}/worker.ts` },
      alias: { 'node:crypto': `${VERIFIER}/node-crypto.ts` },
      inject: [`${VERIFIER}/buffer.ts`],
    },
  ],
};
