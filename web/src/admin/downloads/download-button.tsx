import type { TableFormat } from '@invigil/core/contract/definition/table-format';
import { Check, ChevronDown, Download, FileSpreadsheet, FileText } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';

const FORMATS = [
  { format: 'xlsx', label: 'Excel (.xlsx)', icon: <FileSpreadsheet /> },
  { format: 'csv', label: 'CSV (.csv)', icon: <FileText /> },
] as const;

/** Downloads a table in the format chosen last, with the other formats in a menu. */
export function DownloadButton({
  format,
  onDownload,
  busy,
  children,
  menuLabel = 'Select a file format',
  more,
}: {
  format: TableFormat;
  /** In this format, which is to be remembered. */
  onDownload(format: TableFormat): void;
  busy: boolean;
  children: string;
  menuLabel?: string;
  /** Other downloads, behind the formats. */
  more?: ReactNode;
}) {
  return (
    <div className="flex gap-1">
      <Button icon={<Download />} busy={busy && 'Downloading…'} onClick={() => onDownload(format)}>
        {children}
      </Button>
      <Menu
        trigger={
          <Button
            aria-label={menuLabel}
            icon={<ChevronDown />}
            className="gap-0! px-2! touch:min-w-11"
          />
        }
      >
        {FORMATS.map(({ format: each, label, icon }) => (
          <MenuItem
            key={each}
            icon={each === format ? <Check /> : icon}
            onSelect={() => onDownload(each)}
          >
            {label}
          </MenuItem>
        ))}
        {more}
      </Menu>
    </div>
  );
}
