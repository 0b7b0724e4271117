import { buffer } from 'node:stream/consumers';
import { wallTime } from '@invigil/core/domain/local-time';
import { readAll } from '@invigil/testkit/question-files';
import { workbookRows } from '@invigil/testkit/workbook-rows';
import { describe, expect, it } from 'vitest';
import { openArchive } from '../read-archive.ts';
import { readXlsx } from './read-xlsx.ts';
import { type SheetCell, writeXlsx } from './write-xlsx.ts';

async function* inOne(rows: SheetCell[][]) {
  yield rows;
}
const clockOf = (timeZone: string) => (moment: Date) => wallTime(moment, timeZone);
const write = async (head: string[], portions: AsyncIterable<SheetCell[][]>, zone = 'UTC') =>
  new Uint8Array(await buffer(writeXlsx({ name: 'Rows', head, portions }, clockOf(zone))));

describe('an Excel workbook', () => {
  it('keeps numbers as numbers, texts as texts, and blank cells blank', async () => {
    const rows = [
      [1.935, 'a', ''],
      [-2, '=1+1', '+1'],
      [0, '1.935', "'quoted"],
      [1e21, '<b> & "c"\n d ', '漢字 😀'],
    ];
    const [head, ...read] = await workbookRows(await write(['n', 'x', 'y'], inOne(rows)));
    expect(head).toEqual(['n', 'x', 'y']);
    expect(read).toEqual(rows.map((row) => row.map((cell) => (cell === '' ? null : cell))));
  });

  it('has dates by the clock of its time zone, summer time included', async () => {
    const at = (text: string) => new Date(text);
    const rows = [[at('2026-01-01T23:30:00.000Z')], [at('2026-07-01T22:00:00.000Z')]];
    const [, winter, summer] = await workbookRows(
      await write(['at'], inOne(rows), 'Europe/Berlin'),
    );
    // 2 January and 2 July 2026, counted from 30 December 1899.
    expect(winter?.[0]).toBeCloseTo(46_024 + 30 / 1_440, 9);
    expect(summer?.[0]).toBe(46_205);
  });

  it('is read by the import of questions, dates and escapes as they were', async () => {
    const rows = [
      ['How much?', 1.5, '=1+1', 'A'],
      ['_x000D_ is a text', 'a\u0007b', new Date('2026-05-14T08:10:00.000Z'), 'B'],
    ];
    const bytes = await write(['Question', 'Option A', 'Option B', 'Correct'], inOne(rows));
    const { items } = await readAll(readXlsx, { name: 'a.xlsx', bytes });
    expect(items).toMatchObject([
      { definition: { question: 'How much?', options: [{ text: '1.5' }, { text: '=1+1' }] } },
      { definition: { question: '_x000D_ is a text' } },
    ]);
    expect(JSON.stringify(items)).toContain('2026-05-14 08:10');
  });

  it('cuts a text that no cell holds, and says so', async () => {
    const [, row] = await workbookRows(await write(['x'], inOne([['x'.repeat(40_000)]])));
    expect(String(row?.[0])).toHaveLength(32_767);
    expect(String(row?.[0])).toMatch(/x… \(cut: a cell holds 32,767 characters\)$/);
  });

  it('has room for the words of its head, except for a whole question', async () => {
    const head = ['n', 'Abgegeben am (Europe/Berlin)', 'Question '.repeat(20)];
    const archive = await openArchive(await write(head, inOne([[1, 2, 3]])));
    const sheet = (await archive.read('xl/worksheets/sheet1.xml')).toString();
    const widths = [...sheet.matchAll(/<col [^>]*width="(\d+)"/g)].map(([, width]) =>
      Number(width),
    );
    expect(widths).toEqual([22, 30, 40]);
  });

  it('takes its rows one portion after the other', async () => {
    let asked = 0;
    async function* portions() {
      for (; asked < 50; asked += 1) {
        yield Array.from({ length: 200 }, (_, i) => [asked * 200 + i, `row ${Math.random()}`]);
      }
    }
    const pieces = writeXlsx(
      { name: 'Rows', head: ['n', 'x'], portions: portions() },
      clockOf('UTC'),
    );
    const first = await pieces.next();
    expect(first.done).toBe(false);
    expect(asked).toBeLessThan(25);
    const rest: Uint8Array[] = [first.value as Uint8Array];
    for await (const piece of pieces) rest.push(piece);
    const rows = await workbookRows(Buffer.concat(rest));
    expect(rows).toHaveLength(10_001);
    expect(rows.at(-1)?.[0]).toBe(9_999);
  });

  it('closes what it began when no one reads on', async () => {
    let closed = false;
    async function* portions() {
      try {
        for (;;) yield [['a'.repeat(1_000)]];
      } finally {
        closed = true;
      }
    }
    const pieces = writeXlsx({ name: 'Rows', head: ['x'], portions: portions() }, clockOf('UTC'));
    await pieces.next();
    await pieces.return(undefined);
    expect(closed).toBe(true);
  });
});
