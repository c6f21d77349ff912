/**
 * `npm ci` runs it at its end: it builds the template and the functions, so that the first start
 * does not have to. If it fails, the start builds them, and says what is wrong.
 */
import { SETTINGS } from '../../lib/core/store/settings.ts';
import { ROOT } from '../bundling.ts';
import { loadBundles, loadTemplate, openCache } from './load-build.ts';

try {
  const cache = { folder: openCache(ROOT) };
  await Promise.all([loadTemplate(cache, SETTINGS.SPACE.default), loadBundles(cache, ROOT)]);
} catch (error) {
  console.error(error);
}
