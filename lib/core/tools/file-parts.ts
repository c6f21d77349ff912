/** The modules for tools that read files of features: the parser of YAML takes 30 ms. */
export { FEATURE_FILE_PARTS } from '../../features/file-parts.ts';
