/**
 * Runs before each test file. Vitest notes each import of a file in its main process, by a message.
 * Nothing here asks for it, and stacks import the handlers of their functions anew, so relative
 * imports of the project's files go past it.
 */
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../../infra/bundling.ts';

const OURS = pathToFileURL(ROOT).href;

declare global {
  var loadsDirectly: boolean | undefined;
}

if (globalThis.loadsDirectly !== true) {
  globalThis.loadsDirectly = true;
  registerHooks({
    resolve: (specifier, context, next) => {
      const { parentURL = '' } = context;
      const isOurs =
        /^\.\.?\//.test(specifier) &&
        parentURL.startsWith(OURS) &&
        !parentURL.includes('/node_modules/') &&
        !specifier.includes('vitest=');
      return isOurs ? { url: new URL(specifier, parentURL).href, shortCircuit: true } : next(specifier, context);
    },
  });
}
