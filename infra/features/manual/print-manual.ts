/** Prints the manual in JSON, as it lies beside bundles. */
import { buildManual } from '../../../lib/features/manual/build-manual.ts';

process.stdout.write(JSON.stringify(buildManual()));
