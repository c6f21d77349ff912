/** SHA-256 of a text in hexadecimal digits. Pure. */
import { hash } from 'node:crypto';

export const textHash = (text: string): string => hash('sha256', text);
