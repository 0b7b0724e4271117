import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

/** Texts, programs and weights; pictures and fonts are compressed already. */
const WORTH = new Set(['.js', '.mjs', '.css', '.svg', '.json', '.txt', '.wasm', '.bin', '.onnx']);
/** Size below which a response fits into one packet anyway. */
const SMALLEST_BYTES = 1_024;
/**
 * Size above which the strongest compression takes minutes (WebAssembly of 14 MB) and gains a few hundredths.
 * All files of a first screen are far smaller.
 */
const LARGE_BYTES = 400_000;
const LARGE_QUALITY = 9;

/**
 * Writes a `.br` and a `.gz` beside every text of a built folder, once, at a strength too slow for each
 * request. Browsers accept brotli on https and localhost only, hence both.
 */
export async function precompress(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && WORTH.has(extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name));
  await Promise.all(files.map(precompressFile));
}

async function precompressFile(path: string): Promise<void> {
  const plain = await readFile(path);
  if (plain.length < SMALLEST_BYTES) return;
  const quality = plain.length > LARGE_BYTES ? LARGE_QUALITY : constants.BROTLI_MAX_QUALITY;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
  };
  await Promise.all([
    brotli(plain, { params }).then((data) => writeFile(`${path}.br`, data)),
    deflate(plain, { level: constants.Z_BEST_COMPRESSION }).then((data) =>
      writeFile(`${path}.gz`, data),
    ),
  ]);
}
