export { act as handler } from '../../stages.ts';
