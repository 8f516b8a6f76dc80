import { Component, type ReactNode } from 'react';

interface ChartBoundaryProps {
  /** What stands there when the rest cannot. */
  readonly plain: ReactNode;
  readonly children: ReactNode;
}

/** Where the code of a chart does not come, as on a lost line, its plain shapes stay: only a class can catch that in React. */
export class ChartBoundary extends Component<ChartBoundaryProps, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? this.props.plain : this.props.children;
  }
}
