import { describe, expect, test } from 'vitest';
import { fileNameFrom } from './file-download.ts';

const name = (disposition: string | null) => fileNameFrom(disposition, 'participants_report.csv');

describe('fileNameFrom', () => {
  test.each([null, '', 'attachment', 'attachment; filename=""', "inline; filename*=UTF-8''%"])(
    'gives the default for %j',
    (disposition) => {
      expect(name(disposition)).toBe('participants_report.csv');
    },
  );

  test('drops folders', () => {
    expect(name('attachment; filename="../../etc/passwd"')).toBe('passwd');
    expect(name('attachment; filename="C:\\\\temp\\\\r.csv"')).toBe('r.csv');
  });

  test('reads quoted, bare and extended names', () => {
    expect(name('attachment; filename="participants_report_all_20260514-1035.csv"')).toBe(
      'participants_report_all_20260514-1035.csv',
    );
    expect(name('attachment; filename=report.csv')).toBe('report.csv');
    expect(name('attachment; filename="x.csv"; filename*=UTF-8\'\'r%C3%A9sum%C3%A9.csv')).toBe(
      'résumé.csv',
    );
  });
});
