/**
 * A real browser for tests: the one of the package on Linux with x64, elsewhere one that is
 * installed.
 */
import { type Browser, chromium } from 'playwright-core';

/** A browser that is installed here, by the names Playwright knows it under. */
const launchInstalled = async (args: readonly string[]): Promise<Browser> => {
  for (const channel of ['chrome', 'msedge', 'chromium']) {
    try {
      const launched = await chromium.launch({ channel, headless: true, args: [...args] });
      console.log(`browser: the installed ${channel} ${launched.version()}`);
      return launched;
    } catch {
      // The next one.
    }
  }
  throw new Error(`no browser for ${process.platform}-${process.arch}: install Chrome, Edge or Chromium`);
};

/**
 * One process for everything would end with the first page that is closed; pages are kept apart, as
 * for a person. Drawing by a GPU that is computed costs a quarter of the processor time.
 */
const LEFT_OUT =
  /^--(single-process|disable-web-security|disable-site-isolation-trials|allow-running-insecure-content|no-zygote|in-process-gpu|use-gl=.*|use-angle=.*|enable-unsafe-swiftshader|ignore-gpu-blocklist)$/;

/** The browser of the package, which is a program for Linux on x64. */
const launchBundled = async (own: readonly string[]): Promise<Browser> => {
  // Before the package is loaded: it is what makes it unpack the libraries a Lambda image lacks.
  process.env.AWS_LAMBDA_JS_RUNTIME = 'nodejs22.x';
  const { default: bundled } = await import('@sparticuz/chromium');
  const args = [...bundled.args.filter((arg) => !LEFT_OUT.test(arg)), '--disable-gpu', ...own];
  return chromium.launch({ executablePath: await bundled.executablePath(), args, headless: true });
};

/** As for other waits of tests: it ends one that hangs, not one that is slow. */
const WAIT_MS_MAX = 200_000;

export const launchBrowser = async (args: readonly string[] = []): Promise<Browser> => {
  const isBundled = process.platform === 'linux' && process.arch === 'x64';
  const browser = await (isBundled ? launchBundled(args) : launchInstalled(args));
  return browser.on('context', (context) => context.setDefaultTimeout(WAIT_MS_MAX));
};
