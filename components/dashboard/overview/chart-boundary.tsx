import { Component, type ReactNode } from 'react';

interface ChartBoundaryProps {
  /** Shown if the children fail. */
  readonly plain: ReactNode;
  readonly children: ReactNode;
}

/** Keeps the plain chart if the code of the interactive one cannot be loaded. In React only a class component can catch that. */
export class ChartBoundary extends Component<ChartBoundaryProps, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? this.props.plain : this.props.children;
  }
}
