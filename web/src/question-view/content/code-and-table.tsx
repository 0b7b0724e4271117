import type { Code as CodeNode, Table as TableNode } from '@invigil/core/content/content-nodes';
import { type Links, Phrases } from './phrases.tsx';

/** Lines of code: they scroll sideways on their own, also by keyboard. */
export function Code({ code, className }: { code: CodeNode; className: string }) {
  return (
    <div
      className={`overflow-hidden rounded-lg border border-line bg-sunken text-[0.875rem] font-normal ${className}`}
    >
      {code.lang !== null && (
        <p className="border-b border-line px-3 py-1 text-xs text-ink-2">{code.lang}</p>
      )}
      <section
        aria-label={code.lang === null ? 'Code' : `Code, ${code.lang}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        dir="ltr"
        className="scroll-sides overflow-x-auto -outline-offset-2"
      >
        <pre className="px-3 py-2.5 leading-relaxed">
          <code className="font-mono">{code.value}</code>
        </pre>
      </section>
    </div>
  );
}

const ALIGN = { left: 'text-left', center: 'text-center', right: 'text-right' } as const;

export function Table({
  table,
  links,
  className,
}: {
  table: TableNode;
  links: Links;
  className: string;
}) {
  const [head, ...rows] = table.children;
  const alignOf = (column: number) => ALIGN[table.align[column] ?? 'left'];
  return (
    <section
      aria-label="Table"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className={`overflow-x-auto text-[0.9375em] font-normal ${className}`}
    >
      <table className="border-collapse">
        <thead>
          <tr>
            {head?.children.map((cell, column) => (
              <th
                // biome-ignore lint/suspicious/noArrayIndexKey: the text is fixed, its columns never move
                key={column}
                scope="col"
                className={`border-b-2 border-line-2 px-3 py-1.5 font-semibold ${alignOf(column)}`}
              >
                <Phrases of={cell.children} links={links} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the text is fixed, its rows never move
            <tr key={index} className="border-b border-line">
              {row.children.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: as above
                <td key={column} className={`px-3 py-1.5 align-top ${alignOf(column)}`}>
                  <Phrases of={cell.children} links={links} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
