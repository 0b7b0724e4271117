import { beginAttempt, makeQuiz, setUpAppWithAdmin } from '@invigil/testkit/factories';
import { type WorkbookCell, workbookRows } from '@invigil/testkit/workbook-rows';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const ZONE = 'Europe/Berlin';
/** A moment in a cell, as the number of days that a spreadsheet shows in Berlin (summer time). */
const serial = (iso: string) => (Date.parse(iso) + 7_200_000) / 86_400_000 + 25_569;

describe('exports as Excel workbooks', () => {
  const app = setUpAppWithAdmin({ TIME_ZONE: ZONE });
  let quizId: string;

  beforeAll(async () => {
    const made = await makeQuiz(app, app.admin, { title: '=1+1' });
    quizId = made.id;
    await beginAttempt(app, app.admin, made);
    await app.pool.query('update participants set points = 19350, max_points = 30000');
  });
  type Name = 'exportParticipants' | 'exportInvitations' | 'exportAudit';
  const both = async (name: Name, query: Record<string, string> = {}) => {
    const params = name === 'exportInvitations' ? { id: quizId } : undefined;
    const call = (format?: string) =>
      app.call(name, {
        as: app.admin,
        ...(params ? { params } : {}),
        query: { ...query, ...(format ? { format } : {}) },
      });
    const [csv, xlsx] = [await call(), await call('xlsx')];
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(xlsx.headers['content-type']).toBe(XLSX);
    expect(xlsx.headers['content-disposition']).toMatch(/filename="\w+(-\d{6})?\.xlsx"/);
    const lines: string[][] = parse(csv.text, { bom: true });
    return { lines, rows: await workbookRows(xlsx.bytes) };
  };
  /** The same cell as CSV has it. */
  const asCsv = (cell: WorkbookCell, line: string) => {
    const isMoment = /^\d{4}-\d\d-\d\dT/.test(line);
    if (isMoment && typeof cell === 'number') {
      expect(cell).toBeCloseTo(serial(line.replace(/\.\d+Z/, 'Z')), 6);
      return line;
    }
    return typeof cell === 'string' && /^[=+\-@']/.test(cell) ? `'${cell}` : String(cell ?? '');
  };

  it.each<[Name, Record<string, string>]>([
    ['exportParticipants', {}],
    ['exportParticipants', { questions: 'true' }],
    ['exportInvitations', {}],
    ['exportAudit', { search: 'quiz' }],
  ])('have the same values as CSV: %s %j', async (name, query) => {
    const own = name === 'exportParticipants' ? { quizId, ...query } : query;
    const { lines, rows } = await both(name, own);
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.length).toBe(lines.length);
    const [head] = rows;
    expect(head?.map((cell) => String(cell).replace(` (${ZONE})`, ''))).toEqual(lines[0]);
    for (const [i, line] of lines.entries()) {
      if (i > 0) expect(line.map((text, c) => asCsv(rows[i]?.[c] ?? null, text))).toEqual(line);
    }
  });

  it('have numbers as numbers, dates in the zone that the head names, and no formula', async () => {
    const { rows } = await both('exportParticipants', { quizId });
    const [head = [], row = []] = rows;
    const cell = (name: string) => row[head.indexOf(name)];
    expect(cell('Assessment')).toBe('=1+1');
    expect(typeof cell(`Started At (${ZONE})`)).toBe('number');
    expect(typeof cell('Violations')).toBe('number');
    expect(cell('Points')).toBe(1.935);
  });

  it('refuse another format', async () => {
    const query = { format: 'ods' };
    expect(await app.call('exportAudit', { as: app.admin, query })).toMatchObject({ status: 400 });
  });
});
