/** Declares the part of the package that is used; it has no types of its own. */
declare module 'subset-font' {
  /** A font with the characters of a text only, its axes pinned. */
  export default function subsetFont(
    font: Buffer,
    text: string,
    options: { targetFormat: 'sfnt'; variationAxes: Record<string, number> },
  ): Promise<Buffer>;
}
