/** The release in the description of a function's version; `go-back` reads it. */

/** Start of the stack's parameter with the versions to go back to; the release's name follows. */
export const BACK_PARAMETER = 'Back';
/** In that parameter: the version that was deployed. */
export const AS_DEPLOYED = '0';

export interface ReleaseMark {
  readonly name: string;
  readonly release: string;
  /** The newest version of data it can read. */
  readonly data: number;
}

export const describeRelease = ({ name, release, data }: ReleaseMark): string =>
  `Passepartout ${name}, release ${release}, data ${data}`;

const MARK = /^Passepartout ([a-z-]+), release ([0-9a-f]+), data (\d+)$/;

/** @returns undefined if the version was made by a release without such marks */
export const parseRelease = (description: string): ReleaseMark | undefined => {
  const [, name, release, data] = MARK.exec(description) ?? [];
  return name === undefined || release === undefined ? undefined : { name, release, data: Number(data) };
};
