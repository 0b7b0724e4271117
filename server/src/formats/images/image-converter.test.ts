import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { IMAGE_LIMITS } from '@invigil/core/domain/questions/question-files';
import sharp, { type Sharp } from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import type { ConvertedImage } from './convert-image.ts';
import { ImageConverter } from './image-converter.ts';

const RED = { r: 200, g: 30, b: 30 };
const BLUE = { r: 20, g: 40, b: 220 };

/** Red on the left, blue on the right. */
function picture(width: number, height: number): Sharp {
  const half = { width: Math.ceil(width / 2), height, channels: 3, background: BLUE } as const;
  return sharp({ create: { width, height, channels: 3, background: RED } }).composite([
    { input: { create: half }, gravity: 'east' },
  ]);
}

/** A picture with as much detail as a photograph. */
function noise(width: number, height: number): Sharp {
  return sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } });
}

const svg = (content: string, size = 'width="100" height="50"', before = '') =>
  Buffer.from(
    `${before}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${size}>${content}</svg>`,
  );

/** The most memory that a process holds until it is stopped, in bytes; 0 where Linux does not tell. */
function peakOf(pid: number | undefined): { stop(): number } {
  let peak = 0;
  const look = () => {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      peak = Math.max(peak, 1_024 * Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
    } catch {
      // Another system, or it has ended.
    }
  };
  const timer = setInterval(look, 5);
  return {
    stop() {
      clearInterval(timer);
      return peak;
    },
  };
}

async function pixel({ webp }: ConvertedImage, x: number, y: number): Promise<number[]> {
  const one = { left: x, top: y, width: 1, height: 1 };
  return [...(await sharp(webp).extract(one).ensureAlpha().raw().toBuffer())];
}

function expectColor(found: number[], { r, g, b }: typeof RED, within = 12): void {
  for (const [i, value] of [r, g, b].entries()) {
    expect(Math.abs((found[i] ?? 0) - value)).toBeLessThanOrEqual(within);
  }
}

describe('the conversion of an image', () => {
  const converter = new ImageConverter();
  afterAll(() => converter.stop());

  let last: Promise<unknown> = Promise.resolve();
  /** One after the other, as those who use it do. */
  async function converted(bytes: Uint8Array): Promise<ConvertedImage> {
    const converting = last.then(() => converter.convert(bytes));
    last = converting.catch(() => undefined);
    const result = await converting;
    if (typeof result === 'string') throw new Error(result);
    return result;
  }

  it.each([
    ['PNG', (image: Sharp) => image.png()],
    ['JPEG', (image: Sharp) => image.jpeg({ quality: 95 })],
    ['WebP', (image: Sharp) => image.webp()],
    ['GIF', (image: Sharp) => image.gif()],
    ['AVIF', (image: Sharp) => image.avif()],
  ])('takes %s and makes WebP of it', async (_, as) => {
    const image = await converted(await as(picture(120, 80)).toBuffer());
    expect(await sharp(image.webp).metadata()).toMatchObject({
      format: 'webp',
      width: 120,
      height: 80,
      space: 'srgb',
    });
    expect([image.width, image.height]).toEqual([120, 80]);
    expectColor(await pixel(image, 20, 40), RED);
    expectColor(await pixel(image, 100, 40), BLUE);
  });

  it('keeps every pixel of line art, with its transparency', async () => {
    const drawing = svg('<path d="M0 0L60 40M5 30h50" stroke="#123456" fill="none"/>');
    const png = await sharp(drawing).png({ palette: true }).toBuffer();
    // The color of a pixel that is fully transparent has no meaning.
    const pixels = async (bytes: Buffer) =>
      Buffer.concat(
        await Promise.all(
          ['white', 'black'].map((background) =>
            sharp(bytes).flatten({ background }).raw().toBuffer(),
          ),
        ),
      );
    const { webp } = await converted(png);
    expect((await pixels(webp)).equals(await pixels(png))).toBe(true);
  });

  it('compresses photographs, also those that arrive as PNG', async () => {
    const png = await noise(900, 600).png().toBuffer();
    expect(png.length).toBeGreaterThan(1_500_000);
    const { webp } = await converted(png);
    expect(webp.length).toBeLessThan(png.length / 2);
  });

  it('limits the longer side, and enlarges nothing', async () => {
    const wide = await converted(await picture(3_200, 1_000).png().toBuffer());
    expect([wide.width, wide.height]).toEqual([1_600, 500]);
    const high = await converted(await picture(1_000, 4_000).jpeg().toBuffer());
    expect([high.width, high.height]).toEqual([400, 1_600]);
    const dot = await converted(await picture(1, 1).png().toBuffer());
    expect([dot.width, dot.height]).toEqual([1, 1]);
  });

  it('applies the orientation of a camera', async () => {
    // 6: to be turned by 90° clockwise, so that left becomes top.
    const bytes = await picture(120, 80).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const image = await converted(bytes);
    expect([image.width, image.height]).toEqual([80, 120]);
    expectColor(await pixel(image, 40, 20), RED);
    expectColor(await pixel(image, 40, 100), BLUE);
  });

  it('removes metadata: camera, place, author, comments, thumbnails, profiles', async () => {
    const exif = {
      IFD0: { Copyright: 'SECRET author', ImageDescription: 'SECRET words' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3230/100' },
    };
    const xmp =
      '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="SECRET"/></rdf:RDF></x:xmpmeta>';
    for (const format of ['jpeg', 'png', 'webp', 'avif'] as const) {
      const bytes = await picture(60, 40)
        .withExif(exif)
        .withXmp(xmp)
        .withIccProfile('p3')
        .toFormat(format)
        .toBuffer();
      expect([format, bytes.includes('SECRET')]).toEqual([format, true]);
      const { webp } = await converted(bytes);
      expect(webp.includes('SECRET')).toBe(false);
      const found = await sharp(webp).metadata();
      for (const kind of ['exif', 'xmp', 'icc', 'iptc', 'orientation'] as const) {
        expect([format, kind, found[kind]]).toEqual([format, kind, undefined]);
      }
    }
  });

  it('converts colors to sRGB', async () => {
    const p3 = await sharp({ create: { width: 8, height: 8, channels: 3, background: RED } })
      .withIccProfile('p3')
      .png()
      .toBuffer();
    // The same color has other numbers in Display P3.
    const stored = [...(await sharp(p3, { ignoreIcc: true }).raw().toBuffer())];
    expect(Math.abs((stored[0] ?? 0) - RED.r)).toBeGreaterThan(10);
    expectColor(await pixel(await converted(p3), 4, 4), RED, 3);
    const cmyk = await sharp({ create: { width: 8, height: 8, channels: 3, background: BLUE } })
      .toColourspace('cmyk')
      .jpeg()
      .toBuffer();
    expect(await sharp((await converted(cmyk)).webp).metadata()).toMatchObject({ space: 'srgb' });
    const deep = await picture(60, 40).toColourspace('rgb16').png().toBuffer();
    expectColor(await pixel(await converted(deep), 10, 20), RED, 3);
    const grey = await picture(60, 40).toColourspace('b-w').png().toBuffer();
    expect((await converted(grey)).width).toBe(60);
  });

  it('keeps the first frame of an animation', async () => {
    const frames = Buffer.concat(
      [RED, BLUE, BLUE].map(({ r, g, b }) =>
        Buffer.from(Array.from({ length: 100 }, () => [r, g, b]).flat()),
      ),
    );
    const raw = { width: 10, height: 30, channels: 3, pageHeight: 10 } as const;
    for (const format of ['gif', 'webp'] as const) {
      const bytes = await sharp(frames, { raw }).toFormat(format, { delay: 100 }).toBuffer();
      expect((await sharp(bytes).metadata()).pages).toBeGreaterThan(1);
      const image = await converted(bytes);
      expect([image.width, image.height]).toEqual([10, 10]);
      expect((await sharp(image.webp).metadata()).pages ?? 1).toBe(1);
      expectColor(await pixel(image, 5, 5), RED);
    }
  });

  it('makes the same bytes of the same image', async () => {
    const bytes = await noise(300, 300).png().toBuffer();
    const [one, two] = await Promise.all([converted(bytes), converted(bytes)]);
    expect(one.webp.equals(two.webp)).toBe(true);
  });

  describe('of an SVG', () => {
    it.each([
      ['its own size', 'width="100" height="50"', [200, 100]],
      ['its view box', 'viewBox="0 0 30 60"', [60, 120]],
      ['the largest size', 'width="3000" height="1000"', [1_600, 533]],
      ['a size in millimetres', 'width="100mm" height="50mm" viewBox="0 0 10 5"', [566, 283]],
    ])('draws it sharply, by %s', async (_, size, expected) => {
      const image = await converted(svg('<rect width="3" height="3"/>', size));
      expect([image.width, image.height]).toEqual(expected);
    });

    it('draws its text, in any family', async () => {
      const widths = await Promise.all(
        ['sans-serif', 'Times, serif', 'Unknown Family'].map(async (family) => {
          const drawn = await converted(
            svg(
              `<text y="40" font-size="40" font-family="${family}">Will π≤∑</text>`,
              'width="300" height="50"',
            ),
          );
          return (await sharp(drawn.webp).trim().metadata()).size;
        }),
      );
      expect(Math.min(...widths.map(Number))).toBeGreaterThan(500);
    });

    it('never reads another file or host', async () => {
      const requests: string[] = [];
      const server = createServer((request, response) => {
        requests.push(request.url ?? '');
        response.end();
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const address = server.address();
      const port = address !== null && typeof address === 'object' ? address.port : 0;
      const host = `http://127.0.0.1:${port}`;
      const blue = join(tmpdir(), `invigil-blue-${process.pid}`);
      await picture(10, 10).png().toFile(`${blue}.png`);
      const inner = svg('<rect id="r" width="100" height="50" fill="blue"/>');
      writeFileSync(`${blue}.svg`, inner);
      writeFileSync(`${blue}.css`, 'rect { fill: blue }');
      const at = pathToFileURL(blue).href;
      const plain = await converted(svg('<rect width="100" height="50" fill="#c81e1e"/>'));
      const red = '<rect width="100" height="50" fill="#c81e1e"/>';
      const full = 'width="100" height="50"';
      for (const content of [
        ...[`${at}.png`, `${blue}.png`, `${host}/i.png`, `${at}.svg`].flatMap((url) => [
          `<image xlink:href="${url}" ${full}/>`,
          `<image href="${url}" ${full}/>`,
          `<filter id="f"><feImage href="${url}"/></filter><rect ${full} fill="none" filter="url(#f)"/>`,
        ]),
        ...[`${at}.svg`, `${host}/u.svg`].map((url) => `<use href="${url}#r"/>`),
        ...[`${at}.css`, `${host}/s.css`].map((url) => `<style>@import url("${url}");</style>`),
        `<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="${at}.svg"/>`,
        `<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="${host}/x" parse="text"/>`,
        `<script href="${host}/s.js">document</script>`,
        `<foreignObject ${full}><img xmlns="http://www.w3.org/1999/xhtml" src="${host}/f"/></foreignObject>`,
      ]) {
        const result = await converter.convert(svg(red + content));
        // The image is converted without what it refers to, or not at all.
        if (typeof result !== 'string')
          expect([content, result.webp]).toEqual([content, plain.webp]);
        else expect(result).toBe('NOT_AN_IMAGE');
      }
      for (const entity of [`SYSTEM "${at}.css"`, `SYSTEM "${host}/e"`]) {
        const result = await converter.convert(
          svg(`${red}<text y="30">&e;</text>`, full, `<!DOCTYPE svg [<!ENTITY e ${entity}>]>`),
        );
        if (typeof result !== 'string') expect(result.webp).toEqual(plain.webp);
      }
      const doctype = `<?xml-stylesheet href="${host}/p.css"?><!DOCTYPE svg SYSTEM "${host}/d.dtd">`;
      await converter.convert(svg(red, full, doctype));
      server.close();
      expect(requests).toEqual([]);
    });
  });

  describe('refuses', () => {
    const bomb = () => {
      const levels = Array.from({ length: 12 }, (_, i) => {
        const inner = i === 0 ? 'boom' : `&e${i - 1};`.repeat(10);
        return `<!ENTITY e${i} "${inner}">`;
      });
      return svg('<text>&e11;</text>', undefined, `<!DOCTYPE svg [${levels.join('')}]>`);
    };
    const copies = () => {
      const groups = Array.from(
        { length: 30 },
        (_, i) => `<g id="g${i + 1}">${`<use href="#g${i}"/>`.repeat(10)}</g>`,
      );
      return svg(
        `<defs><rect id="g0" width="9" height="9"/>${groups.join('')}</defs><use href="#g30"/>`,
      );
    };
    const headOfPng = (width: number, height: number) => {
      const png = Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNiAAAABgADNjd8qAAAAABJRU5ErkJggg==',
        'base64',
      );
      png.writeUInt32BE(width, 16);
      png.writeUInt32BE(height, 20);
      return png;
    };

    it.each([
      ['nothing', () => Buffer.alloc(0)],
      ['text', () => Buffer.from('just a text, no image at all')],
      ['a web page', () => Buffer.from('<!doctype html><html><body><svg/></body></html>')],
      ['a PDF', () => Buffer.from('%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\n')],
      ['random bytes', () => randomBytes(10_000)],
      ['a file of pixel values', () => Buffer.from('P3 1 1 255 1 2 3\n')],
      ['SVG that is no XML', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><g>')],
      ['SVG without a size', () => svg('', '')],
      ['SVG of no size', () => svg('<rect/>', 'width="0" height="0"')],
      ['a bomb of entities', bomb],
      ['a compressed SVG', () => gzipSync(svg('<rect width="9" height="9"/>'))],
    ])('%s', async (_, make) => {
      expect(await converter.convert(make())).toBe('NOT_AN_IMAGE');
    });

    it.each(['png', 'jpeg', 'webp', 'gif', 'avif'] as const)('a truncated %s', async (format) => {
      const bytes = await noise(200, 200).toFormat(format).toBuffer();
      for (const share of [0.1, 0.5, 0.9]) {
        const part = bytes.subarray(0, Math.floor(bytes.length * share));
        expect([share, await converter.convert(part)]).toEqual([share, 'NOT_AN_IMAGE']);
      }
    });

    it('TIFF, which is not on the list', async () => {
      const bytes = await picture(60, 40).tiff().toBuffer();
      expect(await converter.convert(bytes)).toBe('NOT_AN_IMAGE');
    });

    it.each([
      ['a PNG that claims 60,000 by 60,000', () => headOfPng(60_000, 60_000)],
      ['an SVG as large as a country', () => svg('<rect/>', 'width="1000000" height="1000000"')],
    ])('%s', async (_, make) => {
      expect(await converter.convert(make())).toBe('IMAGE_TOO_LARGE');
    });

    const flat = (width: number, height: number) =>
      sharp({ create: { width, height, channels: 3, background: RED } });

    it('one row more than the limit', async () => {
      expect(IMAGE_LIMITS.pixelsMax).toBe(12_288 * 8_192);
      expect(await converter.convert(headOfPng(12_288, 8_193))).toBe('IMAGE_TOO_LARGE');
    });

    it('not what has just the limit, within its memory', { tags: 'long' }, async () => {
      const peak = peakOf(converter.pid);
      expect((await converted(await flat(12_288, 8_192).png().toBuffer())).width).toBe(1_600);
      expect(peak.stop()).toBeLessThan(IMAGE_LIMITS.convertMaxMemoryBytes);
    });

    it('an AVIF of one row more than its own limit', { tags: 'long' }, async () => {
      expect(IMAGE_LIMITS.avifPixelsMax).toBe(4_096 * 4_096);
      const avif = (height: number) => flat(4_096, height).avif({ effort: 0 }).toBuffer();
      expect(await converter.convert(await avif(4_097))).toBe('IMAGE_TOO_LARGE');
      expect((await converted(await avif(4_096))).width).toBe(1_600);
    });

    it('not a progressive JPEG of 50 megapixels, the largest in memory', {
      tags: 'long',
    }, async () => {
      const jpeg = flat(8_192, 6_144).jpeg({ progressive: true, chromaSubsampling: '4:4:4' });
      expect((await converted(await jpeg.toBuffer())).width).toBe(1_600);
    });

    it.each(['heic', 'heix', 'mif1\0\0\0\0mif1heic'])(
      'a HEIC photo, with its name: %j',
      async (brands) => {
        const box = Buffer.from(`\0\0\0\0ftyp${brands.padEnd(16, '\0')}`, 'latin1');
        box.writeUInt32BE(box.length);
        expect(await converter.convert(Buffer.concat([box, randomBytes(500)]))).toBe('HEIC_IMAGE');
      },
    );

    it('an SVG that would take too long, and works after it', { tags: 'long' }, async () => {
      const impatient = new ImageConverter({ ...IMAGE_LIMITS, convertMaxMs: 1_000 });
      const heavy =
        '<feGaussianBlur stdDeviation="90"/><feMorphology operator="dilate" radius="99"/>';
      const blur = svg(
        `<filter id="f">${heavy.repeat(200)}</filter><rect width="1500" height="1500" filter="url(#f)"/>`,
        'width="1600" height="1600"',
      );
      for (const bytes of [copies(), blur]) {
        expect(['NOT_AN_IMAGE', 'IMAGE_TOO_COMPLEX']).toContain(await impatient.convert(bytes));
      }
      expect(await impatient.convert(blur)).toBe('IMAGE_TOO_COMPLEX');
      const small = await picture(10, 10).png().toBuffer();
      expect(await impatient.convert(small)).toMatchObject({ width: 10 });
      impatient.stop();
    });

    it('an image that would take too much memory, at once, and works after it', async () => {
      const small = await picture(10, 10).png().toBuffer();
      const most = 200_000_000;
      const narrow = new ImageConverter({ ...IMAGE_LIMITS, convertMaxMemoryBytes: most });
      await narrow.convert(small);
      // A picture for each step: gigabytes, if the end waits for the thread that draws them.
      const steps = Array.from(
        { length: 400 },
        (_, n) => `<feOffset in="SourceGraphic" dx="${n}" result="r${n}"/>`,
      );
      const filtered = '<rect width="1600" height="1600" filter="url(#f)"/>';
      const large = svg(
        `<filter id="f">${steps.join('')}</filter>${filtered}`,
        'width="1600" height="1600"',
      );
      const peak = peakOf(narrow.pid);
      expect(await narrow.convert(large)).toBe('IMAGE_TOO_COMPLEX');
      expect(peak.stop()).toBeLessThan(most + 125_000_000);
      expect(await narrow.convert(small)).toMatchObject({ width: 10 });
      narrow.stop();
    });

    it.each([
      ['of 800 KB', 'x'.repeat(800_000)],
      ['of 800 KB, marked as no markup', `<![CDATA[${'x'.repeat(800_000)}]]>`],
      ['of 2,501 characters', 'x'.repeat(IMAGE_LIMITS.svgLineMaxCharacters + 1)],
      [
        'of 20,001 characters in all',
        '<tspan>x</tspan>'.repeat(IMAGE_LIMITS.svgTextMaxCharacters + 1),
      ],
      [
        'of many references',
        '&lots;'.repeat(1_000),
        `<!DOCTYPE svg [<!ENTITY lots "${'x'.repeat(30)}">]>`,
      ],
    ])('an SVG with a text %s, before it is drawn', async (_, text, before = '') => {
      for (const size of ['width="100" height="50"', '']) {
        const peak = peakOf(converter.pid);
        const bytes = svg(`<text y="40">${text}</text>`, size, before);
        expect(await converter.convert(bytes)).toBe('IMAGE_TOO_COMPLEX');
        expect(peak.stop()).toBeLessThan(IMAGE_LIMITS.convertMaxMemoryBytes);
      }
    });

    it('an SVG of more than 2 MiB, and takes one of as much', async () => {
      const path = (bytes: number) => svg(`<path d="${'M1 1'.padEnd(bytes)}"/>`);
      const spare = path(0).length;
      expect(await converter.convert(path(IMAGE_LIMITS.svgMaxBytes))).toBe('IMAGE_TOO_COMPLEX');
      expect((await converted(path(IMAGE_LIMITS.svgMaxBytes - spare))).width).toBe(200);
    });

    it('no drawing with a long style sheet and few words', async () => {
      const style = `<style>@font-face{src:url(data:font/woff2;base64,${'A'.repeat(90_000)})}</style>`;
      expect((await converted(svg(`${style}<text y="40">Few</text>`))).width).toBe(200);
    });

    it('not the most text that an SVG may have, within its memory', {
      tags: 'long',
    }, async () => {
      const { svgTextMaxCharacters, svgLineMaxCharacters } = IMAGE_LIMITS;
      const line = `<tspan>${'W'.repeat(svgLineMaxCharacters)}</tspan>`;
      const text = line.repeat(svgTextMaxCharacters / svgLineMaxCharacters);
      const peak = peakOf(converter.pid);
      expect((await converted(svg(`<text y="40">${text}</text>`))).width).toBe(200);
      expect(peak.stop()).toBeLessThan(IMAGE_LIMITS.convertMaxMemoryBytes);
    });
  });

  it('starts again after its process ended, or was stopped', async () => {
    const small = await picture(10, 10).png().toBuffer();
    const own = new ImageConverter();
    for (let i = 0; i < 3; i += 1) {
      expect(await own.convert(small)).toMatchObject({ width: 10 });
      own.stop();
    }
  });
});
